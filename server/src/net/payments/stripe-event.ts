import type Stripe from 'stripe'
import { isJsonObject, stringAt } from '#lib/json.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { PaymentEvent } from '#ports/payments.ts'

/** Everything that may change an order. docs/payments.md has the same list for operators who set up the webhook. */
export const eventTypes = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'payment_intent.succeeded',
  'payment_intent.payment_failed',
  'charge.updated',
  'refund.created',
  'refund.updated',
  'refund.failed',
  'charge.dispute.created',
  'charge.dispute.updated',
  'charge.dispute.funds_withdrawn',
  'charge.dispute.funds_reinstated',
  'charge.dispute.closed',
] as const

/** The subject of an event. Nothing else in the event is trusted: the facts are queried. */
export function newsOf(event: Stripe.Event): PaymentEvent {
  const { id, type, livemode, created } = event
  const about: unknown = event.data.object
  return { id, type, isLive: livemode, createdAtMs: created * 1_000, ...referencesIn(about) }
}

function referencesIn(about: unknown): Pick<PaymentEvent, 'topUpId' | 'checkoutRef' | 'paymentRef'> {
  if (!isJsonObject(about)) return { topUpId: null, checkoutRef: null, paymentRef: null }
  const id = stringAt(about, 'id') ?? null
  const kind = stringAt(about, 'object')
  return {
    topUpId: idOf(stringAt(about, 'client_reference_id')) ?? topUpIdIn(about['metadata']),
    checkoutRef: kind === 'checkout.session' ? id : null,
    paymentRef: kind === 'payment_intent' ? id : (stringAt(about, 'payment_intent') ?? null),
  }
}

/** Our order id in Stripe's metadata. */
export function topUpIdIn(metadata: unknown): Uuid | null {
  return isJsonObject(metadata) ? idOf(stringAt(metadata, 'top_up_id')) : null
}

function idOf(text: string | undefined): Uuid | null {
  return text !== undefined && isUuid(text) ? text : null
}
