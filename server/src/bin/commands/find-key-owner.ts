import { placeOrganizationKey } from '#control/keys/place-organization-key.ts'
import { readUser } from '#control/operators/read-user.ts'
import type { KeyType } from '#domain/access/principal.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { KeyOwner } from '#ports/key-book.ts'
import { createMemberships } from '#store/postgres/organizations/memberships.ts'
import { findOrganization } from '#store/postgres/organizations/find-organization.sql.ts'
import { type CommandInput, UsageError } from './command.ts'
import type { Session } from './session.ts'

/** Whose key is to be made: a user's, or an organization's with the member and team that are named. */
export async function findKeyOwner(session: Session, input: CommandInput, type: KeyType): Promise<KeyOwner> {
  const reference = input.text('organization')
  const [memberId = null, teamId = null] = [input.text('member'), input.text('team')]
  if (reference === undefined) {
    if (memberId !== null || teamId !== null) throw new UsageError('--member and --team need --organization.')
    return { kind: 'user', userId: (await readUser(session.users, input.argument(0))).id }
  }
  const organization = await findOrganization(session.pool, reference)
  if (organization === null) throw new GatewayError('notFound', { message: `There is no organization ${reference}.` })
  const organizationId = organization.id
  const memberships = createMemberships(session.pool)
  const grant = { reach: 'organization' } as const
  if (type === 'standard') {
    return placeOrganizationKey(memberships, { organizationId, grant, manager: null }, { type, memberId, teamId })
  }
  if (memberId === null) throw new UsageError('Say with --member whom the management key acts for.')
  const member = isUuid(memberId) ? await memberships.findMember({ organizationId, memberId }) : null
  if (member === null) throw new GatewayError('notFound', { message: `There is no member ${memberId} there.` })
  const manager: { memberId: Uuid; userId: Uuid } = { memberId: member.id, userId: member.userId }
  return placeOrganizationKey(memberships, { organizationId, grant, manager }, { type, memberId: null, teamId })
}
