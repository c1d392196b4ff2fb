import * as fc from 'fast-check'
import { expect } from 'vitest'
import { type NanoUsd, nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { parseExactJson } from '#lib/exact-json.ts'
import { isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { sweepHolds } from '#store/postgres/money/holds.sql.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { settleEntry } from '#test/money/settles.ts'
import { createCodes, createHistory, type WalletStep, walletStep } from '#test/payments/payment-history.ts'
import type { Payer, PaymentWorld } from '#test/payments/payment-world.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Reply } from '#test/setup/reply.ts'
import { rollUpUsage } from '#test/usage/roll-up-usage.ts'

/** What can happen to the platform in a month; `which` picks a customer or an order. */
type OwnerStep =
  | { do: 'pay'; which: number; cents: number }
  | { do: 'transfer'; which: number; cents: number }
  | OrderStep
  | RequestStep
  | { do: 'wallet'; which: number; step: WalletStep }

type OrderStep =
  | { do: 'refund' | 'dispute'; which: number; permille: number }
  | { do: 'refund fails' | 'win' | 'lose'; which: number }

interface RequestStep {
  do: 'request'
  which: number
  nano: number
  permille: number
  billing: (typeof billings)[number]
}

// A discounted request costs less at the provider, a refunded one costs only the operator, and an own key nothing.
const billings = ['list_price', 'discount', 'refunded', 'own_key'] as const
const which = fc.nat(30)
const permille = fc.integer({ min: 1, max: 1_000 })
const isOf = <Name extends string>(name: Name) => fc.constant(name)

export const ownerStep: fc.Arbitrary<OwnerStep> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: isOf('pay'), which, cents: fc.integer({ min: 500, max: 9_000 }) }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('refund', 'dispute'), which, permille }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('refund fails', 'win', 'lose'), which }) },
  { weight: 2, arbitrary: fc.record({ do: isOf('transfer'), which, cents: fc.integer({ min: 100, max: 9_000 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: isOf('request'),
      which,
      nano: fc.integer({ min: 1, max: 30_000_000_000 }),
      permille,
      billing: fc.constantFrom(...billings),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: isOf('wallet'), which, step: walletStep }) },
)

/** Three months in which everything happens at least once. */
export const fullHistory: [OwnerStep[], OwnerStep[], OwnerStep[]] = [
  [
    { do: 'pay', which: 0, cents: 2_000 },
    { do: 'pay', which: 1, cents: 3_333 },
    { do: 'transfer', which: 1, cents: 5_000 },
    { do: 'wallet', which: 0, step: { do: 'grant', nano: 7_000_000_001 } },
    { do: 'wallet', which: 1, step: { do: 'redeem', expires: true } },
    ...billings.map((billing) => ({ do: 'request' as const, which: 0, nano: 1_234_567_891, permille: 875, billing })),
    { do: 'dispute', which: 1, permille: 1_000 },
  ],
  [
    { do: 'request', which: 0, nano: 30_000_000_000, permille: 1, billing: 'list_price' },
    { do: 'refund', which: 0, permille: 333 },
    { do: 'wallet', which: 0, step: { do: 'write-off', nano: 1_000 } },
    { do: 'win', which: 1 },
    { do: 'dispute', which: 0, permille: 500 },
    { do: 'wallet', which: 1, step: { do: 'expire' } },
  ],
  [
    { do: 'refund fails', which: 0 },
    { do: 'lose', which: 0 },
  ],
]

interface Customer extends Payer {
  readonly client: TestClient
}

interface PaidOrder {
  readonly id: string
  readonly paymentId: string
  disputeId: string | null
}

/** What one month is by everything but the code under test. */
export interface PlayedMonth {
  readonly month: string
  /** The processor's balance transactions of the month, in US cents after its fees. */
  readonly processorCents: bigint
  /** Bank transfers. */
  readonly transferred: NanoUsd
}

type Act = (path: string, body: object) => Promise<Reply>

/** Plays months of history through the API, the payment simulator and the stores, one after another. */
export async function createOwnerHistory(world: PaymentWorld, operator: string) {
  const codes = await createCodes(world.pool)
  const act: Act = (path, body) => world.as(operator).send('POST', `/api/admin${path}`, body)
  const { pay, change } = createOrders(world, act)

  async function addCustomer(): Promise<Customer> {
    const client = await world.createClient({ usd: '0' })
    const { userId, walletId } = client
    return { client, userId, walletId, session: { cookie: await world.signIn(userId) } }
  }

  async function playMonth(month: string, customers: readonly Customer[], steps: readonly OwnerStep[]) {
    const nowMs = Date.parse(`${month}-15T12:00:00Z`)
    const histories = customers.map(({ client }) => createHistory(world.pool, client, codes, () => nowMs))
    const linesBefore = world.provider.state.lines.length
    let transferred = 0n
    for (const step of steps) {
      const place = step.which % customers.length
      const customer = customers[place]
      if (customer === undefined) throw new Error('a history has customers')
      if (step.do === 'pay') await pay(customer, step.cents)
      else if (step.do === 'transfer') transferred += await transfer(act, customer, step.cents)
      else if (step.do === 'request') await request(world, customer, step, nowMs)
      else if (step.do === 'wallet') await histories[place]?.play(step.step)
      else await change(step)
      await world.deliver()
    }
    await world.keepBooks()
    await moveInto(world, month)
    const lines = world.provider.state.lines.slice(linesBefore)
    const processorCents = lines.reduce((sum, { net }) => sum + BigInt(net), 0n)
    return { month, processorCents, transferred: nanoUsd(transferred) } satisfies PlayedMonth
  }

  return { addCustomer, playMonth }
}

/** Payments by card, and what happens to them later. */
function createOrders(world: PaymentWorld, act: Act) {
  const paid: PaidOrder[] = []

  async function pay(customer: Customer, cents: number): Promise<void> {
    const { id } = await world.order(customer, cents / 100)
    paid.push({ id: String(id), paymentId: world.pay(id), disputeId: null })
  }

  /** Changes an order, if its state allows it. */
  async function change(step: OrderStep): Promise<void> {
    const recent = paid.slice(-20)
    const order = recent[step.which % Math.max(1, recent.length)]
    if (order === undefined) return
    const { state } = world.provider
    const { id, paymentId, disputeId } = order
    const { amount, amount_refunded: refunded } = state.chargeOf(paymentId)
    if (step.do === 'refund') {
      const cents = Math.ceil(((amount - refunded) * step.permille) / 1_000)
      if (cents > 0) await act(`/top-ups/${id}/refund`, { amount: cents / 100, force: true })
    } else if (step.do === 'dispute') {
      const disputed = Math.ceil((amount * step.permille) / 1_000)
      order.disputeId ??= state.dispute(paymentId, { amount: disputed }).id
    } else if (step.do === 'refund fails') {
      const sent = [...state.refunds.values()].find((one) => one.payment_intent === paymentId)
      if (sent?.status === 'succeeded') state.failRefund(sent.id)
    } else if (disputeId !== null && state.disputes.get(disputeId)?.status === 'needs_response') {
      state[step.do](disputeId)
    }
  }

  return { pay, change }
}

/** Books a bank transfer, and returns its total with fee and tax. */
async function transfer(act: Act, { walletId }: Customer, cents: number): Promise<bigint> {
  const body = { amountUsd: cents / 100, reference: newUuid(Date.now()), channel: 'usd' }
  const { status, text } = await act(`/wallets/${walletId}/transfers`, body)
  expect(status).toBe(200)
  return parseUsd(String(objectAt(parsed(text), 'data')['total']))
}

async function request({ pool }: PaymentWorld, { client }: Customer, step: RequestStep, nowMs: number): Promise<void> {
  const list = BigInt(step.nano)
  const entry = settleEntry({ ...client, id: newUuid(nowMs) }, nanoUsd(step.billing === 'refunded' ? 0n : list))
  const costs = {
    list_price: {},
    discount: { providerCost: nanoUsd((list * BigInt(step.permille)) / 1_000n) },
    refunded: { providerCost: nanoUsd(list) },
    own_key: { providerCost: nanoUsd(0n), isByok: true },
  }
  await settleGenerations(pool, [{ ...entry, record: { ...entry.record, ...costs[step.billing] } }])
}

/** Dates everything that was just booked to random moments of a month, and rolls it up. */
async function moveInto({ pool }: PaymentWorld, month: string): Promise<void> {
  const moment = `$1::timestamptz + random() * interval '27 days'`
  // Months of histories are long past, so later rows are new.
  const fresh = `> now() - interval '1 year'`
  const start = [`${month}-01T00:00:00Z`]
  await pool.query(`UPDATE ledger_transfers SET created_at = ${moment} WHERE created_at ${fresh}`, start)
  await pool.query(`UPDATE top_up_effects SET booked_at = ${moment} WHERE booked_at ${fresh}`, start)
  await pool.query(`UPDATE payment_balances SET created_at = ${moment} WHERE created_at ${fresh}`, start)
  await pool.query(`UPDATE generations SET settled_at = ${moment} WHERE settled_at ${fresh}`, start)
  await rollUpUsage(pool)
  // A hold that is left would belong to a request of the past month.
  await pool.query(`UPDATE holds SET lease_until = now() - interval '1 second'`)
  await sweepHolds(pool, 1_000)
}

export function parsed(text: string): JsonObject {
  const body = parseExactJson(text)
  return isJsonObject(body) ? body : {}
}
