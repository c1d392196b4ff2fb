import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import { noSums, type TopUp } from '#domain/payments/top-up.ts'
import { newUuid } from '#lib/uuid.ts'
import { createStripeProvider } from '#net/payments/stripe-provider.ts'
import type { SavedMethods } from '#ports/saved-methods.ts'
import type { CardTemper } from '#test/simulators/payments/objects.ts'
import { type PaymentsSimulator, startPayments } from '#test/simulators/payments/start-payments.ts'
import { newOrder } from './orders.ts'

describe('[P13] charges of saved cards, by the SDK of Stripe', () => {
  let simulator: PaymentsSimulator
  beforeEach(async () => {
    simulator = await startPayments()
  })
  afterEach(() => simulator.close())

  const provider = () => {
    const { url, secretKey, webhookSecret } = simulator
    return createStripeProvider({ url, secretKey, webhookSecrets: [webhookSecret], nowMs: Date.now })
  }
  const saved = (): SavedMethods => {
    const { saved: methods } = provider()
    if (methods === null) throw new Error('Stripe keeps cards')
    return methods
  }
  const read = (order: TopUp) => provider().readPayment(order)

  async function orderOn(temper: CardTemper): Promise<TopUp> {
    const walletId = newUuid(Date.now())
    const customerRef = await saved().createCustomer(walletId)
    const { id: methodRef } = simulator.state.saveCard(customerRef, temper)
    return {
      ...newOrder({ walletId, credit: '25' }),
      state: 'open',
      mismatch: null,
      sums: noSums,
      booked: { credit: zeroUsd, fee: zeroUsd, tax: zeroUsd },
      disputed: zeroUsd,
      effects: 0,
      checkoutRef: null,
      paymentRef: null,
      checkoutUrl: null,
      invoiceNumber: null,
      customerRef,
      methodRef,
      createdAtMs: Date.now(),
      paidAtMs: null,
    }
  }

  it('are paid once for one order, and read from the payment', async () => {
    const order = await orderOn('pays')
    const [first, second] = [await saved().charge(order), await saved().charge(order)]
    expect(second).toEqual(first)
    expect(first).toMatchObject({ status: 'paid', topUpId: order.id, currency: 'usd', checkoutRef: null })
    expect(first.sums).toMatchObject({ paid: 2_750n, processorFee: 110n })
    expect([...simulator.state.payments.values()]).toMatchObject([
      { amount: 2_750, customer: order.customerRef, metadata: { top_up_id: order.id } },
    ])
    const create = simulator.calls.find(({ name }) => name === 'POST /v1/payment_intents')
    expect(create?.idempotencyKey).toBe(order.id)
  })

  it.each(['500-after', 'hang-up', '429', '500-before'] as const)('are charged once after %s', async (fault) => {
    const order = await orderOn('pays')
    simulator.failNext('POST /v1/payment_intents', fault)
    const reading = await saved()
      .charge(order)
      .catch(() => saved().charge(order))
    expect(reading.status).toBe('paid')
    expect(simulator.state.payments.size).toBe(1)
  })

  it('throw where it is not known whether the card was charged, and the payment is found later', async () => {
    const order = await orderOn('pays')
    simulator.failNext('POST /v1/payment_intents', 'hang-up', 'hang-up', 'hang-up')
    await expect(saved().charge(order)).rejects.toMatchObject({ name: 'GatewayError' })
    const [payment] = simulator.state.payments.keys()
    expect(await read(order)).toMatchObject({ status: 'paid', paymentRef: payment })
  })

  it.each([
    ['declines', 'declined'],
    ['asks', 'authentication_required'],
  ] as const)('of a card that %s say so, also when they are read again', async (temper, failure) => {
    const order = await orderOn(temper)
    const reading = await saved().charge(order)
    expect(reading).toMatchObject({ status: 'expired', failure, topUpId: order.id, currency: null })
    expect(reading.sums.paid).toBe(0n)
    expect(await read(order)).toEqual(reading)
    expect(await saved().charge(order)).toEqual(reading)
    expect(simulator.state.payments.size).toBe(1)
  })

  it('of a card that is not there are declined without a payment', async () => {
    const order = { ...(await orderOn('pays')), methodRef: 'pm_gone' }
    expect(await saved().charge(order)).toMatchObject({ status: 'expired', failure: 'declined', paymentRef: null })
    expect(simulator.state.payments.size).toBe(0)
  })

  it('wait for a bank that takes its time', async () => {
    const order = await orderOn('takes time')
    const reading = await saved().charge(order)
    expect(reading).toMatchObject({ status: 'pending' })
    simulator.state.succeedCharge(reading.paymentRef ?? '')
    expect(await read(order)).toMatchObject({ status: 'paid' })
  })

  it('of an order that Stripe never heard of are absent', async () => {
    const order = await orderOn('pays')
    expect(await read(order)).toMatchObject({ status: 'absent', topUpId: null })
    await saved().charge({ ...order, id: newUuid(Date.now()) })
    expect(await read(order)).toMatchObject({ status: 'absent' })
  })
})
