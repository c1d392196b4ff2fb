import type { Role } from '#domain/access/roles.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { GroupMapping } from './connection.ts'

/** What a sign-in changes about a member's role and team. Null fields of `place` mean that nothing changes. */
export interface Placement {
  readonly place: { readonly role: Role; readonly teamId: Uuid | null } | null
  /** The group that decided, to be remembered. */
  readonly placedBy: string | null
}

/**
 * The role and team that a person's groups give. The first mapping that matches decides. A person who has left the
 * group that placed them becomes a plain member without a team. Without groups from the provider, nothing changes. An
 * administrator of the organization is never changed, so that a provider can't lock the organization out.
 */
export function placeMember(query: {
  readonly groups: readonly string[] | null
  readonly mappings: readonly GroupMapping[]
  /** The present member's role, or null for a new member. */
  readonly role: Role | null
  readonly placedBy: string | null
}): Placement {
  const { groups, mappings, role, placedBy } = query
  if (role === 'org_admin') return { place: null, placedBy: null }
  if (groups === null) return { place: null, placedBy }
  const match = mappings.find(({ group }) => groups.includes(group))
  if (match !== undefined) return { place: { role: match.role, teamId: match.teamId }, placedBy: match.group }
  const place = placedBy === null ? null : ({ role: 'member', teamId: null } as const)
  return { place, placedBy: null }
}
