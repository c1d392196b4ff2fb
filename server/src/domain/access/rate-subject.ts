import type { RateClass } from '#domain/limits/rate.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Client } from './client.ts'
import type { Principal } from './principal.ts'

export type RateClient = Pick<
  Principal,
  'walletId' | 'userId' | 'memberId' | 'keyId' | 'institutionSession' | 'balance'
>

/** A signed-in person counts with their own keys. Account reads have one rate limit, whatever the balance. */
export function rateClientOf(client: Client): RateClient {
  if (client.kind === 'key') return client.principal
  // An operator who views a customer's console must not use up the customer's limit.
  const { walletId, userId } = client.view?.operator ?? client.person
  return { walletId, userId, memberId: null, keyId: userId, institutionSession: null, balance: zeroUsd }
}

/**
 * The subject in whose window a request counts: all keys of a person share it, per paying wallet. An institution's
 * session has its own, otherwise one pupil could use up the limit of a whole school.
 */
export function rateSubject(
  principal: RateClient,
  rateClass: RateClass,
): { walletId: Uuid; clientId: Uuid; class: RateClass } {
  const { institutionSession, userId, memberId, keyId } = principal
  const clientId = institutionSession?.id ?? userId ?? memberId ?? keyId
  return { walletId: principal.walletId, clientId, class: rateClass }
}
