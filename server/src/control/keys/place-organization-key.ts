import { covers, coversMember, type Grant } from '#domain/access/judge-access.ts'
import type { KeyType } from '#domain/access/principal.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { KeyOwner } from '#ports/keys.ts'
import type { MemberPlace, Memberships } from '#ports/organizations.ts'

/** The requested member and team of a new key. A key without both must be explicitly shared. */
export interface KeyPlace {
  memberId: string | null
  teamId: string | null
  shared: boolean
}

interface KeyWish extends KeyPlace {
  type: KeyType
}

interface KeyMaker {
  organizationId: Uuid
  grant: Grant
  /** The member for whom a management key acts: its creator. The key stops working when that membership ends. */
  manager: { memberId: Uuid; userId: Uuid } | null
}

/**
 * Determines the member and team of a new organization key. A role limited to one team can create keys only for that
 * team and its members, and no management keys.
 */
export async function placeOrganizationKey(
  memberships: Memberships,
  maker: KeyMaker,
  wish: KeyWish,
): Promise<KeyOwner> {
  const { organizationId, grant } = maker
  if (wish.type !== 'standard') return placeManagementKey(maker, wish)
  const member = wish.memberId === null ? null : await findMember(memberships, organizationId, wish.memberId)
  const team = wish.teamId === null ? null : await findTeam(memberships, organizationId, wish.teamId)
  const isOfOthers = member !== null && !coversMember(grant, member)
  if (isOfOthers || !covers(grant, team?.id ?? member?.teamId ?? null)) {
    throw forbidden('You can only create keys for your own team (teamId) or one of its members (memberId).')
  }
  assertShared(wish)
  if (wish.memberId !== null && member === null) throw malformed('memberId: member not found in this organization.')
  if (wish.teamId !== null && team === null) throw malformed('teamId: team not found in this organization.')
  if (member !== null && team !== null && member.teamId !== team.id)
    throw malformed('teamId: the member (memberId) is not in this team.')
  return {
    kind: 'organization',
    organizationId,
    userId: member?.userId ?? null,
    memberId: member?.id ?? null,
    teamId: team?.id ?? null,
  }
}

/** Spend that belongs to no one is a choice, not an omission. */
function assertShared({ memberId, teamId, shared }: KeyPlace): void {
  const isPlaced = memberId !== null || teamId !== null
  if (shared && isPlaced)
    throw malformed('A shared key has no member and no team. Remove shared, or memberId and teamId.')
  if (!shared && !isPlaced) {
    throw new GatewayError('missingRequiredField', {
      message: 'Send memberId or teamId, or shared: true for a key that belongs to no one in particular.',
    })
  }
}

function placeManagementKey({ organizationId, grant, manager }: KeyMaker, wish: KeyWish): KeyOwner {
  if (grant.reach !== 'organization') throw forbidden('Only an org_admin can create management keys.')
  if (wish.memberId !== null || wish.teamId !== null || wish.shared || manager === null)
    throw malformed('A management key acts for the member who creates it. Remove memberId, teamId and shared.')
  return { kind: 'organization', organizationId, ...manager, teamId: null }
}

async function findMember(memberships: Memberships, organizationId: Uuid, id: string): Promise<MemberPlace | null> {
  return isUuid(id) ? memberships.findMember({ organizationId, memberId: id }) : null
}

async function findTeam(memberships: Memberships, organizationId: Uuid, id: string): Promise<{ id: Uuid } | null> {
  return isUuid(id) ? memberships.findTeam({ organizationId, teamId: id }) : null
}

function forbidden(message: string): GatewayError {
  return new GatewayError('forbidden', { message })
}
