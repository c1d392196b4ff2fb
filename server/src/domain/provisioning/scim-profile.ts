import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { isMailAddress } from '#lib/mail-address.ts'
import { attributeOf } from './read-patch.ts'
import { ScimRefusal } from './scim-refusal.ts'

/** What a directory says about a person. Only what the gateway uses is kept. */
export interface ScimProfile extends ScimNames {
  readonly userName: string
  /** The directory's own id, which identifies the person even if every other attribute changes. */
  readonly externalId: string | null
  /** The address of the account, in lower case. */
  readonly email: string
  readonly active: boolean
}

export interface ScimNames {
  readonly displayName: string | null
  readonly givenName: string | null
  readonly familyName: string | null
  readonly formatted: string | null
}

export interface ScimEmail {
  readonly value: string
  readonly type: string | null
  readonly primary: boolean
}

/** Reads the body of a POST or PUT. A PUT replaces everything, so missing attributes are cleared. */
export function readScimUser(body: JsonObject): ScimProfile {
  const userName = readText(body, 'userName')
  if (userName === null) throw new ScimRefusal('invalidValue', 'userName is required.')
  const name = attributeOf(body, 'name')
  const names = isJsonObject(name) ? name : {}
  const active = attributeOf(body, 'active')
  return {
    userName,
    externalId: readText(body, 'externalId'),
    email: chooseAddress(readEmails(attributeOf(body, 'emails')), userName),
    active: active === undefined ? true : readFlag(active),
    displayName: readText(body, 'displayName'),
    givenName: readText(names, 'givenName'),
    familyName: readText(names, 'familyName'),
    formatted: readText(names, 'formatted'),
  }
}

const emailsMax = 20

export function assertFewEmails({ length }: { readonly length: number }): void {
  if (length > emailsMax) throw new ScimRefusal('invalidValue', `emails can have at most ${emailsMax} values.`)
}

export function readEmails(value: JsonValue | undefined): ScimEmail[] {
  if (value === undefined || value === null) return []
  const emails = Array.isArray(value) ? value : [value]
  assertFewEmails(emails)
  return emails.map((email) => {
    if (typeof email === 'string') return { value: email, type: null, primary: false }
    if (!isJsonObject(email)) throw new ScimRefusal('invalidValue', 'Each entry of emails must be an object.')
    const primary = attributeOf(email, 'primary')
    return {
      value: readText(email, 'value') ?? '',
      type: readText(email, 'type')?.toLowerCase() ?? null,
      primary: primary !== undefined && readFlag(primary),
    }
  })
}

/** The primary address, or that of work, or the first. Without any, the user name is the address. */
export function chooseAddress(emails: readonly ScimEmail[], userName: string): string {
  const usable = emails.filter(({ value }) => value !== '')
  const chosen = usable.find(({ primary }) => primary) ?? usable.find(({ type }) => type === 'work') ?? usable[0]
  const address = (chosen?.value ?? userName).trim().toLowerCase()
  if (isMailAddress(address)) return address
  throw new ScimRefusal('invalidValue', 'emails must have an email address, or userName must be one.')
}

/** Entra sends booleans as the strings "True" and "False". */
export function readFlag(value: JsonValue): boolean {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (text === 'true' || text === 'false') return text === 'true'
  throw new ScimRefusal('invalidValue', 'A boolean attribute must be true or false.')
}

const textLengthMax = 200

/** A string of one line. Null if it is missing or empty. */
export function readText(body: JsonObject, name: string): string | null {
  return textOf(attributeOf(body, name), name)
}

export function textOf(value: JsonValue | undefined, name: string): string | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') throw new ScimRefusal('invalidValue', `${name} must be a string.`)
  const text = value.trim()
  if (text.length > textLengthMax || /\p{Cc}/u.test(text) || !text.isWellFormed()) {
    throw new ScimRefusal('invalidValue', `${name} must be one line of at most ${textLengthMax} characters.`)
  }
  return text === '' ? null : text
}

/** The name that the console shows. */
export function shownName({ displayName, formatted, givenName, familyName }: ScimNames, email: string): string {
  const parts = [givenName, familyName].filter((part) => part !== null).join(' ')
  const name = displayName ?? formatted ?? (parts === '' ? null : parts)
  return name ?? email.slice(0, email.indexOf('@'))
}
