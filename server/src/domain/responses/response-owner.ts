import type { Principal } from '#domain/access/principal.ts'
import type { Uuid } from '#lib/uuid.ts'

/**
 * Who may read a stored response: the same person, with any key of the same wallet. The people of an organization see
 * each other's request ids in lists, so the wallet alone would let them read each other's conversations.
 */
export function responseOwner({ walletId, userId }: Pick<Principal, 'walletId' | 'userId'>): {
  readonly walletId: Uuid
  readonly personId: Uuid | null
} {
  return { walletId, personId: userId }
}
