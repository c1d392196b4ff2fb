import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import { createStripeProvider, type StripeOptions, type StripeProvider } from '#net/payments/stripe-provider.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { type PaymentsSimulator, startPayments } from '#test/simulators/payments/start-payments.ts'
import { minor, zeroMinor } from '#domain/payments/currency.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import { newOrder } from './orders.ts'

const pages = { successUrl: 'https://weir.test/paid', cancelUrl: 'https://weir.test/cancelled' }
const none = { paid: 0n, refunded: 0n, returned: 0n, withdrawn: 0n, reinstated: 0n, lost: 0n }

function orderOf(credit = '25'): TopUp {
  const walletId = newUuid(Date.now())
  const sums = { ...none, processorFee: 0n, processorFeeReturned: 0n }
  return {
    ...newOrder({ walletId, credit }),
    state: 'open',
    mismatch: null,
    sums: {
      paid: zeroMinor,
      refunded: zeroMinor,
      returned: zeroMinor,
      withdrawn: zeroMinor,
      reinstated: zeroMinor,
      lost: zeroMinor,
      processorFee: minor(sums.processorFee),
      processorFeeReturned: zeroMinor,
    },
    booked: { credit: zeroUsd, fee: zeroUsd, tax: zeroUsd },
    disputed: zeroUsd,
    effects: 0,
    checkoutRef: null,
    paymentRef: null,
    checkoutUrl: null,
    customerRef: null,
    methodRef: null,
    invoiceNumber: null,
    createdAtMs: Date.now(),
    paidAtMs: null,
  }
}

async function gather<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const gathered: Item[] = []
  for await (const item of items) gathered.push(item)
  return gathered
}

describe('Stripe, by its own SDK', () => {
  let simulator: PaymentsSimulator
  let nowMs: number
  beforeEach(async () => {
    nowMs = Date.now()
    simulator = await startPayments({ nowMs: () => nowMs })
  })
  afterEach(() => simulator.close())

  const provider = (changes: Partial<StripeOptions> = {}): StripeProvider => {
    const { url, secretKey, webhookSecret } = simulator
    return createStripeProvider({ url, secretKey, webhookSecrets: [webhookSecret], nowMs: () => nowMs, ...changes })
  }
  /** Creates an order with an open page, in its stored state. */
  async function opened(credit?: string): Promise<{ order: TopUp; sessionId: string }> {
    const order = orderOf(credit)
    const { checkoutRef } = await provider().createCheckout(order, pages)
    return { order: { ...order, checkoutRef }, sessionId: checkoutRef }
  }
  const list = (fromMs: number, toMs: number) => gather(provider().lists.listBalances({ fromMs, toMs }))
  const verify = (bytes: Buffer, header: string | undefined, secrets: string[]) =>
    provider({ webhookSecrets: secrets }).verifyEvent({ bytes, headers: { 'stripe-signature': header } })
  async function paid(credit?: string) {
    const { order, sessionId } = await opened(credit)
    const { id } = simulator.state.pay(sessionId)
    return { order: { ...order, paymentRef: id }, paymentId: id }
  }

  const statusOf = async (order: TopUp) => {
    const { status, sums } = await provider().readPayment(order)
    return [status, sums.paid]
  }
  async function signed(secret: string): Promise<{ bytes: Buffer; header: string }> {
    const { default: Stripe } = await import('stripe')
    await paid()
    const payload = JSON.stringify(simulator.state.events[0])
    const timestamp = Math.floor(nowMs / 1_000)
    const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
    return { bytes: Buffer.from(payload), header }
  }

  it('P1 opens a page with every line of the quote and the id of the order, once for each order', async () => {
    const order = orderOf('12.34')
    const [first, second] = [
      await provider().createCheckout(order, pages),
      await provider().createCheckout(order, pages),
    ]
    expect(second).toEqual(first)
    const [session, ...others] = simulator.state.sessions.values()
    expect(others).toEqual([])
    expect(session).toMatchObject({
      client_reference_id: order.id,
      metadata: { top_up_id: order.id },
      amount_total: 1_358,
      currency: 'usd',
      lines: [
        { name: '12.34 USD credit', amount: 1_234 },
        { name: 'Fee', amount: 124 },
      ],
      success_url: pages.successUrl,
    })
    expect(simulator.calls).toEqual([
      { name: 'POST /v1/checkout/sessions', idempotencyKey: order.id, version: '2026-10-28.endive' },
      { name: 'POST /v1/checkout/sessions', idempotencyKey: order.id, version: '2026-10-28.endive' },
    ])
    const other = { ...order, charged: { ...order.charged, credit: minor(9_999n) } }
    await expect(provider().createCheckout(other, pages)).rejects.toMatchObject({ inside: /StripeIdempotencyError/ })
  })

  it.each(['500-before', '500-after', 'hang-up', '429'] as const)(
    'P3 opens one page after %s, because it asks again with the same key',
    async (fault) => {
      simulator.failNext('POST /v1/checkout/sessions', fault)
      // If the SDK does not retry, the worker does.
      const order = orderOf()
      const checkout = await provider()
        .createCheckout(order, pages)
        .catch(() => provider().createCheckout(order, pages))
      expect([...simulator.state.sessions.keys()]).toEqual([checkout.checkoutRef])
    },
  )

  it('P6 tells open, pending, paid, failed and expired pages apart', async () => {
    expect(await statusOf(orderOf())).toEqual(['absent', 0n])
    const one = await opened()
    expect(await statusOf(one.order)).toEqual(['open', 0n])
    simulator.state.pay(one.sessionId, { later: true })
    expect(await statusOf(one.order)).toEqual(['pending', 0n])
    simulator.state.succeedLate(one.sessionId)
    expect(await statusOf(one.order)).toEqual(['paid', 2_750n])
    const two = await opened()
    simulator.state.pay(two.sessionId, { later: true })
    simulator.state.failLate(two.sessionId)
    expect(await statusOf(two.order)).toEqual(['expired', 0n])
    const three = await opened()
    simulator.state.expire(three.sessionId)
    expect(await statusOf(three.order)).toEqual(['expired', 0n])
  })

  it('P9 P10 adds up refunds and disputes with what Stripe takes for them', async () => {
    const { order, paymentId } = await paid('100')
    const read = async () => (await provider().readPayment(order)).sums
    const fees = { processorFee: 349n, processorFeeReturned: 0n }
    expect(await read()).toEqual({ ...none, paid: 11_000n, ...fees })
    simulator.state.refund(paymentId, 1_000)
    const second = simulator.state.refund(paymentId, 500)
    expect(await read()).toEqual({ ...none, paid: 11_000n, refunded: 1_500n, ...fees })
    simulator.state.failRefund(second.id)
    expect(await read()).toEqual({ ...none, paid: 11_000n, refunded: 1_500n, returned: 500n, ...fees })
    simulator.state.dispute(paymentId, { isInquiry: true })
    expect(await read()).toMatchObject({ withdrawn: 0n })
    const dispute = simulator.state.dispute(paymentId, { amount: 4_000 })
    expect(await read()).toMatchObject({ withdrawn: 4_000n, reinstated: 0n, lost: 0n, processorFee: 1_849n })
    simulator.state.win(dispute.id)
    const lost = simulator.state.dispute(paymentId, { amount: 3_000 })
    simulator.state.lose(lost.id)
    expect(await read()).toMatchObject({
      withdrawn: 7_000n,
      reinstated: 4_000n,
      lost: 3_000n,
      processorFee: 3_349n,
      processorFeeReturned: 1_500n,
    })
  })

  it('P9 refunds once for each key', async () => {
    const { order } = await paid()
    simulator.failNext('POST /v1/refunds', '500-after', 'hang-up')
    const refund = { amount: minor(100n), idempotencyKey: 'refund-1' }
    await provider().refund(order, refund)
    await provider().refund(order, refund)
    expect(simulator.state.refunds.size).toBe(1)
    await expect(
      provider().refund(order, { ...refund, amount: minor(99_999n), idempotencyKey: '2' }),
    ).rejects.toMatchObject({
      errorName: 'paymentsUnavailable',
    })
    await expect(provider().refund({ ...order, paymentRef: null }, refund)).rejects.toThrow('payment provider')
  })

  describe('P4 a webhook', () => {
    it('is believed by its signature over the bytes, with either secret while one is replaced', async () => {
      const { bytes, header } = await signed('whsec_new')
      const [session] = simulator.state.sessions.values()
      const expected = {
        type: 'checkout.session.completed',
        isLive: false,
        topUpId: session?.client_reference_id,
        checkoutRef: session?.id,
        paymentRef: session?.payment_intent,
      }
      expect(await verify(bytes, header, ['whsec_new'])).toMatchObject(expected)
      expect(await verify(bytes, header, ['whsec_old', 'whsec_new'])).toMatchObject(expected)
      expect(await verify(bytes, header, ['whsec_new', 'whsec_old'])).toMatchObject(expected)
    })

    it('is refused with another secret, another byte, no signature, or a signature older than five minutes', async () => {
      const { bytes, header } = await signed('whsec_new')
      expect(await verify(bytes, header, ['whsec_old'])).toBeNull()
      expect(await verify(Buffer.concat([bytes, Buffer.from(' ')]), header, ['whsec_new'])).toBeNull()
      expect(await verify(bytes, undefined, ['whsec_new'])).toBeNull()
      expect(await verify(bytes, header, [])).toBeNull()
      expect(await verify(bytes, header, [''])).toBeNull()
      nowMs += 301_000
      expect(await verify(bytes, header, ['whsec_new'])).toBeNull()
    })
  })

  it('P6 finds the order of an event that names the payment alone', async () => {
    const { order, paymentId } = await paid()
    simulator.state.refund(paymentId, 10)
    const events = await gather(provider().lists.listEvents(0))
    const refund = events.find(({ type }) => type === 'refund.created')
    expect(refund).toMatchObject({ topUpId: null, paymentRef: paymentId })
    expect(await provider().identify({ paymentRef: paymentId })).toBe(order.id)
    expect(await provider().identify({ paymentRef: null })).toBeNull()
  })

  it('P8 lists all events since a moment, over many pages, and none of other things', async () => {
    const { paymentId } = await paid('1000')
    simulator.state.tellOther('customer.created', { id: 'cus_1', object: 'customer' })
    for (let index = 0; index < 230; index += 1) simulator.state.refund(paymentId, 1)
    expect(await gather(provider().lists.listEvents(nowMs - 1_000))).toHaveLength(231)
    expect(await gather(provider().lists.listEvents(nowMs + 2_000))).toEqual([])
  })

  it('P17 lists what its books say of a span of time, with payouts and other lines', async () => {
    const { order, paymentId } = await paid('100')
    const refund = simulator.state.refund(paymentId, 1_000, { top_up_id: order.id })
    simulator.state.failRefund(refund.id)
    simulator.state.win(simulator.state.dispute(paymentId).id)
    simulator.state.payOut(5_000)
    simulator.state.takeFee(200)
    const lines = await list(nowMs - 1_000, nowMs + 2_000)
    const named = { currency: 'usd', paymentRef: paymentId }
    expect(lines.toReversed()).toMatchObject([
      { kind: 'payment', amount: 11_000n, fee: 349n, topUpId: order.id, ...named },
      { kind: 'refund', amount: 1_000n, fee: 0n, topUpId: order.id, ...named },
      { kind: 'refund_returned', amount: 1_000n, fee: 0n, topUpId: order.id, ...named },
      { kind: 'dispute', amount: 11_000n, fee: 1_500n, topUpId: null, ...named },
      { kind: 'dispute_won', amount: 11_000n, fee: -1_500n, topUpId: null, ...named },
      { kind: 'payout', amount: 5_000n, fee: 0n, topUpId: null, paymentRef: null },
      { kind: 'other', amount: -200n, fee: 0n, topUpId: null, paymentRef: null },
    ])
    expect(await list(nowMs + 2_000, nowMs + 4_000)).toEqual([])
  })

  it('P7 knows its mode by its key, and says nothing of what Stripe answers', async () => {
    const modes = ['sk_test_a', 'rk_test_a', 'sk_live_a', 'rk_live_a'].map(
      (secretKey) => provider({ secretKey }).isLive,
    )
    expect(modes).toEqual([false, false, true, true])
    const wrongKey = provider({ secretKey: 'sk_test_wrong' }).createCheckout(orderOf(), pages)
    await expect(wrongKey).rejects.toMatchObject({
      errorName: 'paymentsUnavailable',
      message: expect.not.stringContaining('API Key'),
      inside: expect.stringContaining('API Key'),
    })
  })
})
