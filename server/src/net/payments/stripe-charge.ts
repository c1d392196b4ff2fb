import type Stripe from 'stripe'
import type { ChargeFailure, PaymentReading } from '#domain/payments/payment-reading.ts'
import { noSums, type TopUp } from '#domain/payments/top-up.ts'
import { assert } from '#lib/assert.ts'
import { isJsonObject, objectAt, stringAt } from '#lib/json.ts'
import { topUpIdIn } from './stripe-event.ts'
import { absentPayment, expanded, readMoves } from './stripe-payment.ts'

/**
 * Charges a saved card for an order. The order's id is the idempotency key, so a repeated request is the same charge.
 */
export async function chargeStripeMethod(stripe: Stripe, order: TopUp): Promise<PaymentReading> {
  const { id, charged, currency, walletId, customerRef: customer, methodRef: method } = order
  assert(customer !== null && method !== null, 'an automatic order names the card that is charged')
  try {
    const parameters: Stripe.PaymentIntentCreateParams = {
      amount: Number(charged.total),
      currency,
      customer,
      payment_method: method,
      allowed_payment_method_types: ['card'],
      confirm: true,
      off_session: true,
      description: `Top-up ${id}`,
      metadata: { top_up_id: id, wallet_id: walletId },
    }
    const payment = await stripe.paymentIntents.create(parameters, { idempotencyKey: id })
    return await readStripeCharge(stripe, { ...order, paymentRef: payment.id })
  } catch (error) {
    const refused = refusedPayment(error)
    if (refused === null) throw error
    if (refused.paymentRef !== null) return readStripeCharge(stripe, { ...order, paymentRef: refused.paymentRef })
    return { ...absentPayment(order), status: 'expired', topUpId: id, failure: 'declined' }
  }
}

/**
 * The state of a charge without a payment page. If a process died before it stored the payment, the customer's payment
 * list has it.
 */
export async function readStripeCharge(stripe: Stripe, order: TopUp): Promise<PaymentReading> {
  const paymentRef = order.paymentRef ?? (await findPayment(stripe, order))
  if (paymentRef === null) return absentPayment(order)
  const payment = await stripe.paymentIntents.retrieve(paymentRef, { expand: ['latest_charge.balance_transaction'] })
  const common = {
    isLive: payment.livemode,
    topUpId: topUpIdIn(payment.metadata),
    checkoutRef: null,
    paymentRef,
  }
  const charge = expanded(payment.latest_charge)
  if (payment.status === 'succeeded' && charge !== null) {
    const moves = await readMoves(stripe, payment, charge)
    return { ...common, status: 'paid', currency: payment.currency, ...moves }
  }
  const isUnderWay = payment.status === 'processing' || payment.status === 'succeeded'
  if (isUnderWay) return { ...common, status: 'pending', currency: null, sums: noSums }
  return { ...common, status: 'expired', currency: null, sums: noSums, failure: failureOf(payment) }
}

async function findPayment(stripe: Stripe, { id, customerRef, createdAtMs }: TopUp): Promise<string | null> {
  if (customerRef === null) return null
  // Clocks differ, but none of ours is off by a minute.
  const created = { gte: Math.floor(createdAtMs / 1_000) - 60 }
  for await (const payment of stripe.paymentIntents.list({ customer: customerRef, created, limit: 100 })) {
    if (topUpIdIn(payment.metadata) === id) return payment.id
  }
  return null
}

/** Whether the bank requires authentication by the card's owner, who is not present. */
function failureOf({ status, last_payment_error: error }: Stripe.PaymentIntent): ChargeFailure {
  const isAsked = [error?.code, error?.decline_code].includes('authentication_required') || status === 'requires_action'
  return isAsked ? 'authentication_required' : 'declined'
}

/**
 * The payment that Stripe has certainly not charged: the declined payment, or none if Stripe rejected the card itself.
 * Null if the outcome is unknown. A conflict (409) means that our own request with the same key is still in progress.
 */
function refusedPayment(error: unknown): { readonly paymentRef: string | null } | null {
  if (!isJsonObject(error)) return null
  const type = stringAt(error, 'type')
  const paymentRef = stringAt(objectAt(error, 'payment_intent'), 'id') ?? null
  if (type === 'StripeCardError') return { paymentRef }
  const isFinal = error['statusCode'] === 400 || error['statusCode'] === 404
  return type === 'StripeInvalidRequestError' && isFinal ? { paymentRef } : null
}
