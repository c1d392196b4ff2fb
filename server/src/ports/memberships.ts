import type { Membership } from '#domain/access/judge-access.ts'
import type { Role } from '#domain/access/roles.ts'
import type { Uuid } from '#lib/uuid.ts'

/** What a request must know of an organization before anything is done there. */
export interface Memberships {
  find(query: { organizationId: Uuid; userId: Uuid }): Promise<Membership | null>
  /** Null: not of this organization, or nowhere. */
  findTeam(query: { organizationId: Uuid; teamId: Uuid }): Promise<{ id: Uuid } | null>
  findMember(query: { organizationId: Uuid; memberId: Uuid }): Promise<MemberPlace | null>
  /** A key of the organization that is not revoked; its team is its own or its member's, and a key that manages has none. */
  findKey(query: { organizationId: Uuid; keyId: Uuid }): Promise<{ id: Uuid; teamId: Uuid | null } | null>
}

export interface MemberPlace {
  readonly id: Uuid
  readonly userId: Uuid
  readonly role: Role
  readonly teamId: Uuid | null
}
