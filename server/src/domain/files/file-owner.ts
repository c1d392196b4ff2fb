import type { Principal } from '#domain/access/principal.ts'
import type { Uuid } from '#lib/uuid.ts'

/**
 * Who may see a file or a batch: all keys of a person, all keys of a member of an organization, all shared keys of a
 * team, or all other shared keys of the organization.
 */
export interface FileOwner {
  readonly walletId: Uuid
  /** The member or the team. */
  readonly ownerId: Uuid | null
}

export function fileOwnerOf({ walletId, memberId, teamId }: Principal): FileOwner {
  return { walletId, ownerId: memberId ?? teamId }
}
