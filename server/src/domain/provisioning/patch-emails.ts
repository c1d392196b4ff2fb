import { isJsonObject, type JsonValue } from '#lib/json.ts'
import { matchesFilter } from './match-filter.ts'
import { attributeOf, type PatchOperation } from './read-patch.ts'
import type { Literal, ScimFilter } from './scim-filter.ts'
import { ScimRefusal } from './scim-refusal.ts'
import { assertFewEmails, readEmails, readFlag, type ScimEmail, textOf } from './scim-profile.ts'

/** Applies one operation to the addresses of a person. */
export function patchEmails(emails: readonly ScimEmail[], operation: PatchOperation): ScimEmail[] {
  const patched = applyTo(emails, operation)
  assertFewEmails(patched)
  return patched
}

function applyTo(emails: readonly ScimEmail[], { verb, path, value }: PatchOperation): ScimEmail[] {
  const { filter, subAttribute } = path
  const isMeant = (email: ScimEmail): boolean => filter === null || matchesFilter(filter, readerOf(email))
  if (verb === 'remove') {
    return subAttribute === null
      ? emails.filter((email) => !isMeant(email))
      : emails.map((email) => (isMeant(email) ? change(email, subAttribute, null) : email))
  }
  if (filter === null && subAttribute === null) {
    const added = readEmails(value)
    if (verb === 'replace') return added
    // A new primary address takes the place of the old one, and an address of a type that of the same type.
    const hasPrimary = added.some(({ primary }) => primary)
    const kept = emails.filter(({ type }) => !added.some((email) => email.type !== null && email.type === type))
    return [...kept.map((email) => (hasPrimary ? { ...email, primary: false } : email)), ...added]
  }
  // Entra adds `emails[type eq "work"].value` to people without one, so a value that is not there is created.
  const found = emails.some(isMeant) ? emails : [...emails, valueFor(filter)]
  return found.map((email) => (isMeant(email) ? change(email, subAttribute, value) : email))
}

function readerOf(email: ScimEmail): (attribute: string) => Literal | undefined {
  return (attribute) => {
    if (attribute === 'value') return email.value
    if (attribute === 'type') return email.type
    return attribute === 'primary' ? email.primary : undefined
  }
}

function change(email: ScimEmail, subAttribute: string | null, value: JsonValue | undefined): ScimEmail {
  if (subAttribute === null) {
    if (!isJsonObject(value)) throw new ScimRefusal('invalidValue', 'A value of emails must be an object.')
    const changed = (['value', 'type', 'primary'] as const).filter((name) => attributeOf(value, name) !== undefined)
    return changed.reduce((draft, name) => change(draft, name, attributeOf(value, name)), email)
  }
  if (subAttribute === 'value') return { ...email, value: textOf(value, 'emails.value') ?? '' }
  if (subAttribute === 'type') return { ...email, type: textOf(value, 'emails.type')?.toLowerCase() ?? null }
  if (subAttribute === 'primary') {
    return { ...email, primary: value !== undefined && value !== null && readFlag(value) }
  }
  if (subAttribute === 'display') return email
  throw new ScimRefusal('invalidPath', `emails have no attribute ${subAttribute}.`)
}

/** A new value that matches the equalities of a filter. */
function valueFor(filter: ScimFilter | null): ScimEmail {
  const empty: ScimEmail = { value: '', type: null, primary: false }
  if (filter?.kind === 'and') return { ...valueFor(filter.left), ...given(filter.right) }
  return { ...empty, ...given(filter) }
}

function given(filter: ScimFilter | null): Partial<ScimEmail> {
  if (filter?.kind === 'and') return { ...given(filter.left), ...given(filter.right) }
  if (filter?.kind !== 'compare' || filter.operator !== 'eq') {
    throw new ScimRefusal('noTarget', 'No value of emails matches the filter.')
  }
  const { attribute, value } = filter
  if (attribute === 'type' && typeof value === 'string') return { type: value.toLowerCase() }
  if (attribute === 'primary' && typeof value === 'boolean') return { primary: value }
  if (attribute === 'value' && typeof value === 'string') return { value }
  throw new ScimRefusal('noTarget', 'No value of emails matches the filter.')
}
