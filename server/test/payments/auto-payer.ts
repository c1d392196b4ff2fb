import { nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { placeHolds } from '#store/postgres/money/holds.sql.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { settleEntry } from '#test/money/settles.ts'
import type { CardTemper, Method } from '#test/simulators/payments/objects.ts'
import { dataOf, type Payer, type PaymentWorld } from './payment-world.ts'

/** A person with a saved card. */
export interface AutoPayer extends Payer {
  readonly keyId: string
  readonly card: Method
}

export const rule = { enabled: true, threshold: 10, target: 50, day_max: 200, month_max: 400 }

const pathOf = ({ walletId }: Pick<Payer, 'walletId'>): string => `/api/wallets/${walletId}/auto-top-up`

export async function cardOwner(world: PaymentWorld, usd = '0', temper: CardTemper = 'pays'): Promise<AutoPayer> {
  const { userId, walletId, keyId } = await world.createClient({ usd })
  const session = { cookie: await world.signIn(userId) }
  const saved = await world.as(session).send('POST', `/api/wallets/${walletId}/payment-methods`)
  const url = String(dataOf(saved, 201)['url'])
  const card = world.provider.state.completeSetup(url.slice(url.lastIndexOf('/') + 1), temper)
  return { userId, walletId, keyId, session, card }
}

/** Creates a person with automatic top-up. */
export async function autoPayer(
  world: PaymentWorld,
  { usd = '0', temper, ...terms }: { usd?: string; temper?: CardTemper } & JsonObject = {},
): Promise<AutoPayer> {
  const payer = await cardOwner(world, usd, temper)
  const reply = await world
    .as(payer.session)
    .send('PUT', pathOf(payer), { ...rule, method_id: payer.card.id, ...terms })
  dataOf(reply, 200)
  return payer
}

export async function readRule(world: PaymentWorld, payer: Payer): Promise<JsonObject> {
  return dataOf(await world.as(payer.session).send('GET', pathOf(payer)), 200)
}

/** The automatic orders of the wallet, in order. */
export async function attemptsOf(world: PaymentWorld, { walletId }: Payer): Promise<string[]> {
  const { rows } = await world.pool.query<{ attempt: string }>(
    `SELECT state || ' ' || trim_scale(credit_nano / 1000000000.0) AS attempt FROM top_ups
      WHERE wallet_id = $1 AND method_ref IS NOT NULL ORDER BY id`,
    [walletId],
  )
  return rows.map(({ attempt }) => attempt)
}

/** The provider's charges, in cents. */
export function chargesOf({ provider }: PaymentWorld, { card }: AutoPayer): number[] {
  return [...provider.state.payments.values()]
    .filter(({ payment_method: method, status }) => method === card.id && status === 'succeeded')
    .map(({ amount }) => amount)
}

/** Pretends that no worker has checked the wallet lately. */
export async function letPause(world: PaymentWorld, { walletId }: Pick<Payer, 'walletId'>): Promise<void> {
  await world.pool.query('UPDATE auto_top_ups SET look_at = now() WHERE wallet_id = $1', [walletId])
}

/** Holds money of the wallet; null if it has not enough. */
export async function hold(world: PaymentWorld, { walletId, keyId }: AutoPayer, usd: string): Promise<string | null> {
  const request = { id: newUuid(Date.now()), walletId, keyId, amount: parseUsd(usd), windows: [] }
  const [verdict] = await placeHolds(world.pool, [request], { leaseMs: 600_000, isRetry: false })
  return verdict?.allowed === true ? request.id : null
}

/** Charges the held amount. */
export async function spend(
  world: PaymentWorld,
  payer: AutoPayer,
  { id, usd }: { id: string; usd: string },
): Promise<void> {
  await settleGenerations(world.pool, [settleEntry({ ...payer, id }, nanoUsd(parseUsd(usd)))])
}

/** The audit entries about a disabled rule. */
export async function offEntriesOf(world: PaymentWorld, { walletId }: Pick<Payer, 'walletId'>): Promise<unknown[]> {
  const text = `SELECT chain_id FROM audit_entries WHERE action = 'auto_top_up.off' AND target_id = $1`
  return (await world.pool.query(text, [walletId])).rows
}
