import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { isUuid, type Uuid } from '#lib/uuid.ts'
import type { PatchPath } from './patch-path.ts'
import { attributeOf, type PatchOperation } from './read-patch.ts'
import { ScimRefusal } from './scim-refusal.ts'
import { readText, textOf } from './scim-profile.ts'

/** A group of a directory, as a POST or PUT describes it. */
export interface ScimGroupTerms {
  readonly displayName: string
  readonly externalId: string | null
  readonly memberIds: readonly Uuid[]
}

/** What a PATCH changes. Members may be thousands, so their changes are steps and not a new list. */
export interface ScimGroupChange {
  readonly displayName?: string
  readonly externalId?: string | null
  readonly steps: readonly MemberStep[]
}

/** `replace` removes all others. */
export interface MemberStep {
  readonly verb: 'add' | 'remove' | 'replace'
  readonly memberIds: readonly Uuid[]
}

const membersMax = 10_000

export function readScimGroup(body: JsonObject): ScimGroupTerms {
  const displayName = readText(body, 'displayName')
  if (displayName === null) throw new ScimRefusal('invalidValue', 'displayName is required.')
  return {
    displayName,
    externalId: readText(body, 'externalId'),
    memberIds: readMemberIds(attributeOf(body, 'members')),
  }
}

export function readGroupPatch(operations: readonly PatchOperation[]): ScimGroupChange {
  const names: { displayName?: string; externalId?: string | null } = {}
  const steps: MemberStep[] = []
  for (const { verb, path, value } of operations) {
    if (path.attribute === 'members') steps.push(readStep(verb, path, value))
    else Object.assign(names, readNames(verb, path.attribute, value))
  }
  return { ...names, steps }
}

function readNames(verb: PatchOperation['verb'], attribute: string, value: JsonValue | undefined) {
  if (attribute === 'displayname') {
    const displayName = verb === 'remove' ? null : textOf(value, 'displayName')
    if (displayName === null) throw new ScimRefusal('invalidValue', 'displayName is required.')
    return { displayName }
  }
  if (attribute === 'externalid') return { externalId: verb === 'remove' ? null : textOf(value, 'externalId') }
  // Okta repeats the id of the group in its value.
  if (attribute === 'id' || attribute === 'meta' || attribute.startsWith('urn:')) return {}
  throw new ScimRefusal('invalidPath', `Groups have no attribute ${attribute}.`)
}

function readStep(verb: PatchOperation['verb'], path: PatchPath, value: JsonValue | undefined): MemberStep {
  const { filter } = path
  if (filter === null) {
    // Entra names the members to remove in the value, although RFC 7644 has them in the path.
    if (verb === 'remove' && value === undefined) return { verb: 'replace', memberIds: [] }
    return { verb, memberIds: readMemberIds(value) }
  }
  const isId = filter.kind === 'compare' && filter.operator === 'eq' && filter.attribute === 'value'
  if (verb !== 'remove' || !isId || typeof filter.value !== 'string') {
    throw new ScimRefusal('invalidPath', 'A path of members can only be members[value eq "<id>"], to remove one.')
  }
  return { verb, memberIds: isUuid(filter.value) ? [filter.value] : [] }
}

/** An id that cannot be one of ours is refused like a member that does not exist. */
function readMemberIds(value: JsonValue | undefined): Uuid[] {
  if (value === undefined || value === null) return []
  const members = Array.isArray(value) ? value : [value]
  if (members.length > membersMax) {
    throw new ScimRefusal('tooMany', `A request can name at most ${membersMax} members.`)
  }
  const ids = members.map((member) => {
    const id = isJsonObject(member) ? attributeOf(member, 'value') : member
    if (typeof id !== 'string')
      throw new ScimRefusal('invalidValue', 'Each member needs the id of a user as its value.')
    if (!isUuid(id)) throw unknownMember(id)
    return id
  })
  return [...new Set(ids)]
}

export function unknownMember(id: string): ScimRefusal {
  return new ScimRefusal('invalidValue', `No user has the id ${id.slice(0, 100)}.`)
}
