import { nextCheckOf } from '#domain/payments/next-check.ts'
import type { TopUp } from '#domain/payments/top-up.ts'
import { checkAttempt } from './attempt-top-up.ts'
import { openCheckout } from './order-top-up.ts'
import type { PaymentOffer } from './payment-offer.ts'
import { type FollowDeps, followPayment } from './follow-payment.ts'
import { requireSaved } from './saved-methods.ts'

export interface CheckDeps extends FollowDeps {
  readonly offer: Pick<PaymentOffer, 'creditsUrl'>
}

// The provider requires a page to stay open for at least half an hour, and an order's page is open for one hour in
// total.
const reopenMs = 20 * 60_000

/**
 * Checks an order whose webhook has not arrived, and schedules the next check. The order is given up only after the
 * provider has said that nothing was paid. An order without a page lost its process in between; the same request finds
 * the page if it exists.
 */
export async function checkOrder(deps: CheckDeps, order: TopUp): Promise<void> {
  const { topUps, provider, nowMs } = deps
  if (order.methodRef !== null) return checkAttempt({ ...deps, provider: requireSaved([provider]) }, order)
  const ageMs = nowMs() - order.createdAtMs
  const hasNoPage = order.checkoutRef === null && ageMs < reopenMs
  const asked = hasNoPage ? await openCheckout(deps, provider, order) : order
  const { order: followed, status } = await followPayment(deps, asked)
  await topUps.scheduleCheck(order.id, nextCheckOf({ state: followed.state, status, ageMs }))
}
