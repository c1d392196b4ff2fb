import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { changedValues } from '#domain/audit/changed-values.ts'
import { type GroupMapping, type GroupRole, groupRoles, groupValues } from '#domain/sign-on/connection.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonValue } from '#lib/json.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { SignOnStore } from '#ports/sign-on.ts'

const groupsMax = 200
const nameMax = 256

/** Replaces the mappings of an organization. They apply when a person signs in the next time. */
export async function replaceGroups(
  store: Pick<SignOnStore, 'change'>,
  request: { organizationId: Uuid; groups: JsonValue | undefined; stamp: AuditStamp },
): Promise<readonly GroupMapping[]> {
  const { organizationId, stamp } = request
  const groups = parseGroups(request.groups)
  return store.change(organizationId, async (open) => {
    const teamIds = [...new Set(groups.flatMap(({ teamId }) => (teamId === null ? [] : [teamId])))]
    const known = await open.findTeams(teamIds)
    if (known.length < teamIds.length) throw new GatewayError('notFound', { message: 'Team not found.' })
    const changed = changedValues(groupValues(await open.listGroups()), groupValues(groups))
    if (changed === null) return groups
    await open.replaceGroups(groups)
    const target = { kind: 'organization', id: organizationId }
    await open.append({ ...stamp, action: 'sign_on.groups.update', target, ...changed })
    return groups
  })
}

function parseGroups(value: JsonValue | undefined): readonly GroupMapping[] {
  if (!Array.isArray(value)) throw malformed('groups must be an array.')
  if (value.length > groupsMax) throw malformed(`groups must have at most ${groupsMax} entries.`)
  const groups = value.map(parseGroup)
  if (new Set(groups.map(({ group }) => group)).size < groups.length) {
    throw malformed('Each group can be mapped only once.')
  }
  return groups
}

function parseGroup(value: JsonValue): GroupMapping {
  if (!isJsonObject(value)) throw malformed('Each entry of groups must be an object.')
  const { group, teamId = null, role = 'member' } = value
  if (typeof group !== 'string' || group.trim() === '' || group.length > nameMax) {
    throw malformed(`group must have 1 to ${nameMax} characters.`)
  }
  if (!isGroupRole(role)) {
    throw malformed(`role must be one of ${groupRoles.join(', ')}. A group can't make administrators.`)
  }
  if (teamId !== null && (typeof teamId !== 'string' || !isUuid(teamId))) {
    throw new GatewayError('notFound', { message: 'Team not found.' })
  }
  if (role === 'team_admin' && teamId === null) throw malformed('teamId is required for the role team_admin.')
  return { group: group.trim(), teamId, role }
}

function isGroupRole(role: JsonValue): role is GroupRole {
  return groupRoles.some((each) => each === role)
}
