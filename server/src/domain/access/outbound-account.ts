import type { Uuid } from '#lib/uuid.ts'
import type { Principal } from './principal.ts'

/** In whose turn the gateway asks hosts that a request names: its organization's, or else its wallet's. */
export function outboundAccount({ organizationId, walletId }: Pick<Principal, 'organizationId' | 'walletId'>): Uuid {
  return organizationId ?? walletId
}
