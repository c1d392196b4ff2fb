import type { Principal } from '#domain/access/principal.ts'
import type { Uuid } from '#lib/uuid.ts'

/**
 * Who may read a stored response: the same person, with any key of the same wallet. The people of an organization see
 * each other's request ids in lists, so the wallet alone would let them read each other's conversations. For the keys
 * that a team shares it is the team.
 */
export function responseOwner({ walletId, userId, teamId }: Pick<Principal, 'walletId' | 'userId' | 'teamId'>): {
  readonly walletId: Uuid
  readonly personId: Uuid | null
} {
  return { walletId, personId: userId ?? teamId }
}
