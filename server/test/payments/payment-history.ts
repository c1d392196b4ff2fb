import { hash, randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import type { Pool } from 'pg'
import { grantTransfers, writeOffTransfers } from '#domain/ledger/transfer.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { hashRedemptionCode } from '#domain/payments/redemption-code.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { newUuid } from '#lib/uuid.ts'
import { createGrants } from '#store/postgres/wallets/postgres-grants.ts'
import { placeHolds } from '#store/postgres/money/holds.sql.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { createPostgresOperators } from '#store/postgres/operators/postgres-operators.ts'
import { createRedemptions } from '#store/postgres/payments/postgres-redemptions.ts'
import { createTopUps } from '#store/postgres/payments/postgres-top-ups.ts'
import { settleEntry } from '#test/money/settles.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { addOrder, entry, paidReading, testIssuer } from './orders.ts'

/** One event on a wallet; `which` picks one of its orders or holds. */
type PaymentStep =
  | { do: 'order'; cents: number; currency: 'usd' | 'cny' | 'jpy'; paidPermille: number }
  | { do: 'news'; which: number; what: (typeof news)[number]; permille: number; isStale: boolean }
  | WalletStep

/** An event without a payment. */
export type WalletStep =
  | { do: 'hold'; nano: number }
  | { do: 'spend'; which: number; nano: number }
  | { do: 'grant' | 'write-off'; nano: number }
  | { do: 'redeem'; expires: boolean }
  | { do: 'expire' }

const news = [
  'refund',
  'refund fails',
  'dispute',
  'dispute won',
  'dispute lost',
  'fee',
  'fee returned',
  'again',
] as const
const which = fc.nat(30)
const someNano = fc.integer({ min: 1, max: 60_000_000_000 })
const isOf = <Name extends string>(name: Name) => fc.constant(name)

export const walletStep: fc.Arbitrary<WalletStep> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: isOf('hold'), nano: someNano }) },
  { weight: 4, arbitrary: fc.record({ do: isOf('spend'), which, nano: someNano }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('grant', 'write-off'), nano: someNano }) },
  { weight: 2, arbitrary: fc.record({ do: isOf('redeem'), expires: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: isOf('expire') }) },
)

export const paymentStep: fc.Arbitrary<PaymentStep> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      do: isOf('order'),
      cents: fc.integer({ min: 1, max: 5_000 }),
      currency: fc.constantFrom('usd', 'usd', 'cny', 'jpy'),
      paidPermille: fc.oneof({ weight: 4, arbitrary: fc.constant(1_000) }, fc.integer({ min: 100, max: 1_900 })),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      do: isOf('news'),
      which,
      what: fc.constantFrom(...news),
      permille: fc.integer({ min: 1, max: 1_000 }),
      isStale: fc.boolean(),
    }),
  },
  { weight: 12, arbitrary: walletStep },
)

/** The provider's state of an order, in the units of its currency; fees in US cents. */
interface ProviderSums {
  readonly paid: bigint
  readonly refunded: bigint
  readonly returned: bigint
  readonly withdrawn: bigint
  readonly reinstated: bigint
  readonly lost: bigint
  readonly processorFee: bigint
  readonly processorFeeReturned: bigint
}

export interface KnownOrder {
  readonly order: TopUp
  /** Newest last. */
  readonly said: ProviderSums[]
}

const shareOf = (amount: bigint, permille: number): bigint => (amount * BigInt(permille)) / 1_000n

/** Codes that can be redeemed any number of times. */
export interface Codes {
  readonly lasting: Buffer
  readonly expiring: Buffer
}

/** Creates a wallet with random events, and the expectations of its orders. Requests have the IDs of `nowMs`. */
export function createHistory(pool: Pool, caller: TestClient, codes: Codes, nowMs: () => number = Date.now) {
  const { walletId } = caller
  const { orders, add, tell } = createOrders(pool, walletId)
  const { hold, spend } = createSpending(pool, caller, nowMs)
  const { wallets } = createPostgresOperators(pool)
  const redemptions = createRedemptions(pool)
  const identity = { hashAddress: (email: string) => hash('sha256', email, 'buffer'), mustBeProven: false }
  const about = () => ({ id: newUuid(Date.now()), walletId })

  async function play(step: PaymentStep): Promise<void> {
    switch (step.do) {
      case 'order':
        return add(step)
      case 'news':
        return tell(step)
      case 'hold':
        return hold(step.nano)
      case 'spend':
        return spend(step)
      case 'grant': {
        const transfers = grantTransfers(nanoUsd(BigInt(step.nano)))
        await wallets.credit({ ...about(), transfers, note: null, expiresAtMs: Date.now() + 86_400_000 })
        return
      }
      case 'write-off': {
        const transfers = writeOffTransfers(nanoUsd(BigInt(step.nano)))
        await wallets.credit({ ...about(), transfers, note: 'gone', isDebtOnly: true })
        return
      }
      case 'redeem': {
        const codeHash = step.expires ? codes.expiring : codes.lasting
        const { userId } = caller
        await redemptions.redeem({ ...about(), codeHash, userId, identity, nowMs: Date.now(), describe: () => entry })
        return
      }
      case 'expire':
        return expireGrants(pool, walletId)
    }
  }

  return { play, orders, walletId }
}

/** Orders and the provider's events about them. */
function createOrders(pool: Pool, walletId: string) {
  const topUps = createTopUps(pool, testIssuer)
  const orders: KnownOrder[] = []

  async function apply({ order }: KnownOrder, sums: ProviderSums): Promise<void> {
    const options = { event: null, nowMs: Date.now(), describe: () => [] }
    await topUps.apply(order.id, paidReading(order, { ...sums }), options)
  }

  return {
    orders,
    add: async ({ cents, currency, paidPermille }: Extract<PaymentStep, { do: 'order' }>): Promise<void> => {
      const rate = { usd: undefined, cny: '7.25', jpy: '151.37' }[currency]
      const credit = (cents / 100).toFixed(2)
      const order = await addOrder(pool, { walletId, credit, currency, ...(rate && { rate }) })
      const paid = shareOf(order.charged.total, paidPermille)
      if (paid === 0n) return
      const first = { ...nothing, paid }
      const known = { order, said: [first] }
      orders.push(known)
      await apply(known, first)
    },
    tell: async (step: Extract<PaymentStep, { do: 'news' }>): Promise<void> => {
      const known = orders[step.which % Math.max(1, orders.length)]
      const latest = known?.said.at(-1)
      if (known === undefined || latest === undefined) return
      const next = afterNews(latest, step)
      known.said.push(next)
      await apply(known, next)
      const stale = known.said[step.which % known.said.length]
      if (step.isStale && stale !== undefined) await apply(known, stale)
    },
  }
}

/** Requests that hold money and then cost some; one without a hold costs too, as after a crash. */
function createSpending(pool: Pool, caller: TestClient, nowMs: () => number) {
  const { walletId, keyId } = caller
  const holds: string[] = []
  return {
    hold: async (nano: number): Promise<void> => {
      const id = newUuid(nowMs())
      const request = { id, walletId, keyId, amount: nanoUsd(BigInt(nano)), windows: [] }
      const [verdict] = await placeHolds(pool, [request], { leaseMs: 600_000, isRetry: false })
      if (verdict?.allowed === true) holds.push(id)
    },
    spend: async ({ which, nano }: Extract<PaymentStep, { do: 'spend' }>): Promise<void> => {
      const id = holds.splice(which % Math.max(1, holds.length), 1)[0] ?? newUuid(nowMs())
      await settleGenerations(pool, [settleEntry({ ...caller, id }, nanoUsd(BigInt(nano)))])
    },
  }
}

/** Moves the end of all grants of a wallet to now. */
async function expireGrants(pool: Pool, walletId: string): Promise<void> {
  const text = `UPDATE wallet_grants SET expires_at = least(expires_at, now()), look_at = now()
    WHERE wallet_id = $1 AND charged_until_nano IS NULL`
  await pool.query(text, [walletId])
  await createGrants(pool).expire(100, Date.now())
}

const nothing: ProviderSums = {
  paid: 0n,
  refunded: 0n,
  returned: 0n,
  withdrawn: 0n,
  reinstated: 0n,
  lost: 0n,
  processorFee: 0n,
  processorFeeReturned: 0n,
}

/** Sums only grow, and nothing is refunded or decided that did not exist before. A bank may take a refunded amount. */
function afterNews(sums: ProviderSums, { what, permille }: Extract<PaymentStep, { do: 'news' }>): ProviderSums {
  const refunded = sums.refunded - sums.returned
  const disputed = sums.withdrawn - sums.reinstated - sums.lost
  switch (what) {
    case 'refund':
      return { ...sums, refunded: sums.refunded + shareOf(sums.paid - refunded, permille) }
    case 'refund fails':
      return { ...sums, returned: sums.returned + shareOf(refunded, permille) }
    case 'dispute':
      return disputed + sums.lost > 0n ? sums : { ...sums, withdrawn: sums.withdrawn + shareOf(sums.paid, permille) }
    case 'dispute won':
      return { ...sums, reinstated: sums.reinstated + disputed }
    case 'dispute lost':
      return { ...sums, lost: sums.lost + disputed }
    case 'fee':
      return { ...sums, processorFee: sums.processorFee + BigInt(permille) }
    case 'fee returned':
      return {
        ...sums,
        processorFeeReturned:
          sums.processorFeeReturned + shareOf(sums.processorFee - sums.processorFeeReturned, permille),
      }
    case 'again':
      return sums
  }
}

/** Two campaigns: the credit of one expires. */
export async function createCodes(pool: Pool): Promise<Codes> {
  const create = async (creditExpiresAtMs: number | null): Promise<Buffer> => {
    const codeHash = hashRedemptionCode(randomBytes(16))
    const uses = 100_000
    const terms = {
      name: 'histories',
      amount: nanoUsd(3_333_333_333n),
      codes: 1,
      usesPerCode: uses,
      redemptionsMax: uses,
      perPersonMax: null,
      perWalletMax: null,
      endsAtMs: null,
      creditExpiresAtMs,
    }
    const made = { id: newUuid(Date.now()), terms, codeHashes: [codeHash], entry, nowMs: Date.now(), request: null }
    await createRedemptions(pool).create(made)
    return codeHash
  }
  return { lasting: await create(null), expiring: await create(Date.now() + 86_400_000) }
}
