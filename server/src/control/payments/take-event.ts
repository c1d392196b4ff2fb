import type { TopUp } from '#domain/payments/top-up.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { failpoint, failpointsArmed } from '#lib/failpoint.ts'
import type { PaymentEvent, SentEvent } from '#ports/payments.ts'
import { type FollowDeps, followPayment } from './follow-payment.ts'

/**
 * Processes a webhook. It returns once everything is committed, and throws otherwise, so that the provider sends the
 * webhook again. The provider does not resend it after a success response.
 */
export async function takeSentEvent(deps: FollowDeps, sent: SentEvent): Promise<void> {
  const event = await deps.provider.verifyEvent(sent)
  if (event === null) {
    throw new GatewayError('invalidSignature', {
      message: 'The event has no valid signature from the provider, or it is too old.',
    })
  }
  if (event.isLive !== deps.provider.isLive) {
    throw new GatewayError('malformedRequest', { message: 'The event belongs to the other mode (test or live).' })
  }
  const missing = await deps.topUps.missingEvents(deps.provider.name, [event])
  if (missing.length > 0) await takeEvent(deps, event)
}

/**
 * Books the payment that an event concerns. An event without one of our orders is stored, so that it is not looked up
 * again.
 */
export async function takeEvent(deps: FollowDeps, event: PaymentEvent): Promise<void> {
  const { provider, topUps } = deps
  const order = await findOrder(deps, event)
  if (order === null) {
    await topUps.noteEvent(provider.name, event)
    return
  }
  if (failpointsArmed) await failpoint('before-reading')
  await followPayment(deps, order, event)
  if (failpointsArmed) await failpoint('after-payment')
}

async function findOrder({ provider, topUps }: FollowDeps, event: PaymentEvent): Promise<TopUp | null> {
  const found = await topUps.findFor(provider.name, event)
  if (found !== null || event.topUpId !== null || event.paymentRef === null) return found
  // A refund or dispute names only the payment, whose id is not stored before the payment is booked.
  const topUpId = await provider.identify(event)
  return topUpId === null ? null : topUps.find(topUpId)
}
