import assert from 'node:assert/strict'
import { isJsonObject, stringAt } from '#lib/json.ts'
import { createClient } from '#test/setup/client.ts'
import type { CardTemper } from '#test/simulators/payments/objects.ts'
import type { Random } from '../random.ts'
import { until } from '../until.ts'
import type { CardFault } from './card-faults.ts'
import { judgeOrders } from './judge-orders.ts'
import type { KillPoint } from './kill-points.ts'
import type { Payer, PaymentScene } from './payment-scene.ts'
import { settle, walletsOf } from './run-cell.ts'

interface AutoCellOptions {
  readonly scene: PaymentScene
  readonly random: Random
  readonly audit: () => Promise<string[]>
}

/** The target balance of each wallet, from zero. */
const targetUsd = 50

/** Automatic top-ups fill empty wallets, a worker dies meanwhile, and another one continues. Returns the problems. */
export async function runAutoCell(
  { faults, kill }: { faults: readonly CardFault[]; kill: KillPoint },
  { scene, random, audit }: AutoCellOptions,
): Promise<string[]> {
  const { provider } = scene
  // One of the cards pays at once, so that every kill point is reached.
  const tempers: CardTemper[] = [...faults.map(({ temper }) => temper), 'pays']
  const payers = await Promise.all(tempers.map((temper) => addAutoPayer(scene, temper)))
  provider.webhooks.targets = [scene.steady.url]
  for (const { call, event } of faults) {
    if (call !== undefined) provider.failNext('POST /v1/payment_intents', call)
    if (event !== undefined) provider.webhooks.failNext(event)
  }
  // A worker that dies before it is ready has already fulfilled its purpose.
  const hit = kill.name === 'after-attempt' ? random.integer(1, 2) : 1
  await scene
    .startWorker(`${kill.failpoint}=exit@${hit}`)
    .then(({ exited }) => exited)
    .catch(() => {})
  const next = await scene.startWorker('')
  await until(() => whatIsOpen(scene, payers))
  for (const payment of provider.state.payments.values())
    if (payment.status === 'processing') provider.state.succeedCharge(payment.id)
  await next.kill()
  await settle(scene, payers)
  await scene.world.pool.query('UPDATE auto_top_ups SET is_on = false WHERE wallet_id = ANY ($1)', [walletsOf(payers)])
  const found = [
    ...(await judgeOrders(scene, walletsOf(payers))),
    ...(await judgeWallets(scene, { payers, tempers })),
    ...(await audit()),
  ]
  if (found.length === 0) provider.state.forgetLists()
  return found
}

/** Adds a person with an empty wallet, a saved card and a rule. */
async function addAutoPayer({ addPayer, steady, provider }: PaymentScene, temper: CardTemper): Promise<Payer> {
  const payer = await addPayer()
  const client = createClient(steady.url, { cookie: payer.cookie })
  const path = `/api/wallets/${payer.walletId}`
  const { json, text } = await client.post(`${path}/payment-methods`)
  const url = isJsonObject(json['data']) ? (stringAt(json['data'], 'url') ?? '') : ''
  assert.ok(url !== '', `a page to save a card on: ${text}`)
  const card = provider.state.completeSetup(url.slice(url.lastIndexOf('/') + 1), temper)
  const caps = { day_max: 200, month_max: 400 }
  const rule = { enabled: true, threshold: 10, target: targetUsd, ...caps, method_id: card.id }
  const chosen = await client.put(`${path}/auto-top-up`, rule)
  assert.equal(chosen.status, 200, chosen.text)
  return payer
}

/** The remaining work of the next worker. The claims of the dead one are expired. */
async function whatIsOpen({ world, letPass }: PaymentScene, payers: readonly Payer[]): Promise<string | null> {
  await letPass()
  const wallets = walletsOf(payers)
  await world.pool.query('UPDATE auto_top_ups SET look_at = now() WHERE wallet_id = ANY ($1) AND failures = 0', [
    wallets,
  ])
  const text = `SELECT count(*) FILTER (WHERE t.id IS NULL)::integer AS untried,
      count(*) FILTER (WHERE t.state = 'open' AND NOT t.is_pending)::integer AS open
    FROM auto_top_ups a LEFT JOIN top_ups t ON t.wallet_id = a.wallet_id WHERE a.wallet_id = ANY ($1)`
  const { rows } = await world.pool.query<{ untried: number; open: number }>(text, [wallets])
  const { untried = 0, open = 0 } = rows[0] ?? {}
  return untried + open === 0 ? null : `${untried} wallets were not tried, ${open} attempts are open`
}

/** A good card was charged once for the gap, and a bad one has paid nothing. */
async function judgeWallets(
  { world }: PaymentScene,
  { payers, tempers }: { payers: readonly Payer[]; tempers: readonly CardTemper[] },
): Promise<string[]> {
  const faults: string[] = []
  for (const [index, { walletId }] of payers.entries()) {
    const { balance } = await world.walletOf(walletId)
    const temper = tempers[index]
    const due = temper === 'pays' || temper === 'takes time' ? String(targetUsd) : '0'
    if (balance !== due) faults.push(`wallet ${walletId} with a card that ${temper} has ${balance}, not ${due}`)
  }
  return faults
}
