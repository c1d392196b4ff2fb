import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { patchEmails } from './patch-emails.ts'
import { attributeOf, type PatchOperation } from './read-patch.ts'
import { ScimRefusal } from './scim-refusal.ts'
import { chooseAddress, readFlag, type ScimEmail, type ScimNames, type ScimProfile, textOf } from './scim-profile.ts'

/** Applies all operations of a PATCH, in order. The result is valid, or the request is refused as a whole. */
export function patchProfile(profile: ScimProfile, operations: readonly PatchOperation[]): ScimProfile {
  const draft: Draft = { ...profile, emails: [{ value: profile.email, type: 'work', primary: true }] }
  for (const operation of operations) patchDraft(draft, operation)
  const { emails, ...patched } = draft
  return { ...patched, email: chooseAddress(emails, draft.userName) }
}

type Draft = { -readonly [Field in keyof ScimProfile]: ScimProfile[Field] } & { emails: readonly ScimEmail[] }

function patchDraft(draft: Draft, operation: PatchOperation): void {
  const { path, verb } = operation
  const value = verb === 'remove' ? null : operation.value
  switch (path.attribute) {
    case 'username':
      draft.userName = requireText(value, 'userName')
      return
    case 'externalid':
      draft.externalId = textOf(value, 'externalId')
      return
    case 'displayname':
      draft.displayName = textOf(value, 'displayName')
      return
    case 'active':
      if (value === undefined || value === null) throw new ScimRefusal('mutability', 'active cannot be removed.')
      draft.active = readFlag(value)
      return
    case 'name':
      patchName(draft, path.subAttribute, value)
      return
    case 'emails':
      draft.emails = patchEmails(draft.emails, operation)
      return
    case 'groups':
      throw new ScimRefusal('mutability', 'groups is read-only. Change the members of the group.')
    default:
      if (!path.attribute.startsWith('urn:') && !ignored.has(path.attribute)) {
        throw new ScimRefusal('invalidPath', `Users have no attribute ${path.attribute}.`)
      }
  }
}

const nameParts = ['givenName', 'familyName', 'formatted'] as const satisfies readonly (keyof ScimNames)[]

function patchName(draft: Draft, subAttribute: string | null, value: JsonValue | undefined): void {
  if (subAttribute !== null) {
    const part = nameParts.find((name) => name.toLowerCase() === subAttribute)
    if (part !== undefined) draft[part] = textOf(value, `name.${part}`)
    return
  }
  const names: JsonObject | null = isJsonObject(value) ? value : null
  for (const part of nameParts) {
    const text = names === null ? null : attributeOf(names, part)
    if (text !== undefined) draft[part] = textOf(text, `name.${part}`)
  }
}

function requireText(value: JsonValue | undefined, name: string): string {
  const text = textOf(value, name)
  if (text === null) throw new ScimRefusal('invalidValue', `${name} is required.`)
  return text
}

/** Attributes of RFC 7643 that the gateway has no use for. They are accepted and not kept. */
const ignored: ReadonlySet<string> = new Set([
  'schemas',
  'id',
  'meta',
  'nickname',
  'profileurl',
  'title',
  'usertype',
  'preferredlanguage',
  'locale',
  'timezone',
  'password',
  'phonenumbers',
  'ims',
  'photos',
  'addresses',
  'entitlements',
  'roles',
  'x509certificates',
])
