import type { AccessRow } from '#domain/access/access-row.ts'
import { type Client, userOf } from '#domain/access/client.ts'
import { covers, type Grant, judgeRole, type Membership } from '#domain/access/judge-access.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { MemberPlace, Memberships } from '#ports/organizations.ts'

/** An organization that the client may act in, with the team, member or key in the path. */
export interface OpenedOrganization {
  readonly organizationId: Uuid
  readonly membership: Membership
  readonly grant: Grant
  readonly team: { readonly id: Uuid } | null
  readonly member: MemberPlace | null
  readonly key: { readonly id: Uuid; readonly teamId: Uuid | null } | null
}

/**
 * The only entry to an organization's data. For a principal outside it, the organization looks as if it did not exist.
 * A member without permission is rejected before learning which teams and members exist.
 */
export async function openOrganization(
  memberships: Memberships,
  row: AccessRow,
  client: Client,
  params: Readonly<Record<string, string>>,
): Promise<OpenedOrganization> {
  const membership = await findMembership(memberships, client, params['orgId'] ?? '')
  if (membership === null) throw missing('organization')
  const grant = requireRole(row, client, membership)
  const { organizationId } = membership
  const { teamId, memberId, keyId } = params
  const team = teamId === undefined ? null : await readTeam(memberships, { organizationId, teamId })
  const member = memberId === undefined ? null : await readMember(memberships, { organizationId, memberId })
  const key = keyId === undefined ? null : await readKey(memberships, { organizationId, keyId })
  if (team !== null && !covers(grant, team.id)) throw forbidden('a team of others')
  if (member !== null && !covers(grant, member.teamId)) throw forbidden("another team's member")
  if (key !== null && !covers(grant, key.teamId)) throw forbidden("another team's key")
  return { organizationId, membership, grant, team, member, key }
}

/** Checks the role. Handlers also call it for parts of a response that only some roles may see. */
export function requireRole(row: AccessRow, client: Client, membership: Membership): Grant {
  const verdict = judgeRole(row, client, membership)
  if (!verdict.allowed) throw forbidden(verdict.inside)
  return verdict.grant
}

async function findMembership(memberships: Memberships, client: Client, orgId: string): Promise<Membership | null> {
  const userId = userOf(client)
  if (userId === null || !isUuid(orgId)) return null
  // A key of one organization cannot access another, even if its owner is a member of that one.
  if (client.kind === 'key' && (client.principal.organizationId ?? orgId) !== orgId) return null
  return memberships.find({ organizationId: orgId, userId })
}

async function readTeam(memberships: Memberships, query: { organizationId: Uuid; teamId: string }) {
  const team = isUuid(query.teamId) ? await memberships.findTeam(query) : null
  if (team === null) throw missing('team')
  return team
}

async function readMember(memberships: Memberships, query: { organizationId: Uuid; memberId: string }) {
  const member = isUuid(query.memberId) ? await memberships.findMember(query) : null
  if (member === null) throw missing('member')
  return member
}

async function readKey(memberships: Memberships, query: { organizationId: Uuid; keyId: string }) {
  const key = isUuid(query.keyId) ? await memberships.findKey(query) : null
  if (key === null) throw missing('key')
  return key
}

function missing(what: string): GatewayError {
  return new GatewayError('notFound', { message: `The ${what} was not found.` })
}

export function forbidden(inside: string): GatewayError {
  return new GatewayError('forbidden', { message: 'Your role in this organization does not allow this.', inside })
}
