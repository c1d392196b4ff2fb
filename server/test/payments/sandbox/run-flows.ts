import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'
import { type JsonObject, stringAt } from '#lib/json.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { startTestGateway } from '#test/setup/gateway.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { dataOf, jobsOf, workOf } from '../payment-world.ts'
import { createStripeSandbox } from './stripe-sandbox.ts'

export interface FlowOptions {
  readonly secretKey: string
  readonly url: string
  /** The poll interval, and the timeout for Stripe's side. */
  readonly lookEveryMs: number
  readonly patienceMs: number
  /** A person pays on the pages, and not this program. */
  readonly isByHand: boolean
  readonly say: (line: string) => void
}

/** Buys credit in Stripe's test mode through a gateway on a temporary database, and follows it to the end. */
export async function runFlows(options: FlowOptions): Promise<void> {
  const { say } = options
  const { order, until, bill, ...world } = await startSandboxWorld(options)
  const { stripe } = world
  try {
    const first = await order(25)
    const session = await stripe.readSession(first.sessionId)
    assert.deepEqual(
      [session['amount_total'], session['currency'], session['client_reference_id'], session['livemode']],
      [2_750, 'usd', first.id, false],
    )
    assert.equal((await order(25, first.key)).url, first.url, 'the same request has the same page')
    say('order: Stripe has a page of what was quoted, and one for a repeated request')

    const expired = await order(5)
    await stripe.expireSession(expired.sessionId)
    await until(expired, { state: 'expired', paid: 0 })
    say('expired page: the order has expired and nothing was credited')

    await bill(first, 'tok_visa')
    const paid = await until(first, { state: 'paid', paid: 27.5, credited: 25 })
    assert.equal(await world.balance(), '25')
    say('payment: 27.50 paid, 25 credited')

    await world.refund(first, 11, 'part')
    await world.refund(first, 11, 'part')
    await until(first, { state: 'partly_refunded', refunded: 11 })
    await stripe.refund(await world.paymentOf(paid), 550)
    await until(first, { refunded: 16.5 })
    assert.equal(await world.balance(), '10')
    say('refunds: one by Weir, sent twice and made once, and one in the dashboard')

    const [won, lost] = [await order(50), await order(100)]
    for (const disputed of [won, lost]) {
      await bill(disputed, 'tok_createDispute')
      await until(disputed, { state: 'disputed' })
    }
    assert.equal(await world.balance(), '10')
    await stripe.answerDispute(await world.paymentOf(won), 'winning_evidence')
    await stripe.answerDispute(await world.paymentOf(lost), 'losing_evidence')
    await until(won, { state: 'won', disputed: 0 })
    await until(lost, { state: 'lost', disputed: 110 })
    assert.equal(await world.balance(), '60')
    say('disputes: both took the credit back, the one that was won returned it')

    await world.work('payment-events')
    say("events: Stripe's own list was read")
    await world.agree()
    say('books: the balance of Stripe and the ledger agree to the cent')
  } finally {
    await world.close()
  }
}

interface Ordered {
  readonly id: string
  readonly url: string
  readonly key: string
  readonly sessionId: string
}

async function startSandboxWorld(options: FlowOptions) {
  const { url, secretKey, lookEveryMs, patienceMs, say } = options
  const environment = {
    WEIR_PAYMENTS_STRIPE_SECRET_KEY: secretKey,
    // Stripe cannot reach this machine: events are read from its list.
    WEIR_PAYMENTS_STRIPE_WEBHOOK_SECRETS: 'whsec_of_nobody',
    WEIR_PAYMENTS_STRIPE_URL: url,
  }
  const gateway = await startTestGateway(environment)
  const { work } = workOf(gateway, jobsOf(gateway, { ...environment, WEIR_HTTP_PUBLIC_URL: ownOrigin }))
  const stripe = createStripeSandbox({ url, secretKey })
  const { userId, walletId } = await gateway.createClient({ usd: '0' })
  const payer = gateway.as({ cookie: await gateway.signIn(userId) })
  const operator = gateway.as(await gateway.addOperatorKey())
  const path = `/api/wallets/${walletId}/top-ups`
  let orders = 0

  async function column(id: unknown, name: 'checkout_ref' | 'payment_ref'): Promise<string> {
    const { rows } = await gateway.pool.query<Record<string, string>>(`SELECT ${name} FROM top_ups WHERE id = $1`, [id])
    return rows[0]?.[name] ?? ''
  }
  /** Polls until Stripe shows the expected state. */
  async function look<Seen>(what: string, see: () => Promise<Seen>, isIt: (seen: Seen) => boolean): Promise<Seen> {
    for (const deadlineMs = Date.now() + patienceMs; ; await wait(lookEveryMs)) {
      const seen = await see()
      if (isIt(seen)) return seen
      if (Date.now() > deadlineMs) throw new Error(`${what} did not come about: ${JSON.stringify(seen)}`)
    }
  }

  return {
    stripe,
    work,
    order: async (amount: number, key = `order-${(orders += 1)}`): Promise<Ordered> => {
      const made = dataOf(await payer.post(path, { amount }, { headers: { 'idempotency-key': key } }), 201)
      const id = stringAt(made, 'id') ?? ''
      return { id, key, url: stringAt(made, 'checkout_url') ?? '', sessionId: await column(id, 'checkout_ref') }
    },
    bill: async ({ url: page, sessionId }: Ordered, token: 'tok_visa' | 'tok_createDispute'): Promise<void> => {
      if (!options.isByHand) return stripe.pay(await stripe.readSession(sessionId), token)
      const card = token === 'tok_visa' ? '4242 4242 4242 4242' : '4000 0000 0000 0259'
      say(`Pay ${page} with the card ${card}, any date to come and any code.`)
    },
    until: (order: Ordered, expected: JsonObject): Promise<JsonObject> =>
      look(
        JSON.stringify(expected),
        async () => dataOf(await payer.post(`${path}/${order.id}/check`), 200),
        (seen) => Object.entries(expected).every(([name, value]) => seen[name] === value),
      ),
    refund: async ({ id }: Ordered, amount: number, key: string): Promise<void> => {
      const headers = { 'idempotency-key': key }
      dataOf(await operator.post(`/api/admin/top-ups/${id}/refund`, { amount }, { headers }), 200)
    },
    paymentOf: ({ id }: { id?: unknown }): Promise<string> => column(id, 'payment_ref'),
    balance: async (): Promise<string> => (await gateway.walletOf(walletId)).balance,
    /** The account may have other payments; only those of our wallet are judged. */
    agree: () =>
      look(
        'the agreement of the books',
        async () => {
          await work('payment-books')
          const { rows } = await gateway.pool.query<{ kept: number; booked: number }>(keptText)
          const found = await auditLedger(gateway.pool, { overdueMs: 600_000 })
          return { ...rows[0], found: found.filter((finding) => finding.walletId === walletId) }
        },
        ({ kept, booked, found }) => kept === booked && found.length === 0,
      ),
    close: () => gateway.close(),
  }
}

// A lost dispute has no separate line in Stripe's ledger.
const keptText = `SELECT (SELECT count(*)::integer FROM payment_balances WHERE top_up_id IS NOT NULL) AS kept,
    (SELECT count(*)::integer FROM top_up_effects WHERE kind NOT IN ('dispute_lost', 'processor_fee', 'processor_fee_returned')) AS booked`
