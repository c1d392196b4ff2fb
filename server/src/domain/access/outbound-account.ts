import type { Uuid } from '#lib/uuid.ts'
import type { Principal } from './principal.ts'

/** The account whose share of outbound requests a request uses: its organization, or else its wallet. */
export function outboundAccount({ organizationId, walletId }: Pick<Principal, 'organizationId' | 'walletId'>): Uuid {
  return organizationId ?? walletId
}
