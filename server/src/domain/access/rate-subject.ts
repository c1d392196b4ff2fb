import type { RateClass } from '#domain/limits/rate.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Principal } from './principal.ts'

/** Whose window a request counts in: all keys of a person share it, per paying wallet. */
export function rateSubject(
  principal: Principal,
  rateClass: RateClass,
): { walletId: Uuid; callerId: Uuid; class: RateClass } {
  const callerId = principal.userId ?? principal.memberId ?? principal.keyId
  return { walletId: principal.walletId, callerId, class: rateClass }
}
