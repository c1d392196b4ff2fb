import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

/** What an identity provider has proven about a person. */
export interface ProvenIdentity {
  /** Identifies the person at this provider for ever. */
  readonly subject: string
  /** Null if the provider sent no address, or says that it is not verified. */
  readonly email: string | null
  readonly name: string | null
  /** Null if the provider sent no groups at all. */
  readonly groups: readonly string[] | null
  /** Everything that the provider sent, for administrators who test the connection. */
  readonly claims: JsonObject
}

const claimsMax = 50
const textMax = 500

/** Claims in a bounded form, so that a provider can't fill the database. */
export function boundClaims(claims: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(claims)
      .slice(0, claimsMax)
      .map(([name, value]) => [name.slice(0, textMax), boundValue(value)]),
  )
}

function boundValue(value: JsonValue | undefined): JsonValue {
  if (typeof value === 'string') return value.slice(0, textMax)
  if (Array.isArray(value)) return value.slice(0, claimsMax).map(boundValue)
  if (isJsonObject(value)) return JSON.stringify(value).slice(0, textMax)
  return value ?? null
}

const nameMax = 200

/** A name on one line. Falls back to the part of the address before the @. */
export function personName({ name, email }: { name: string | null; email: string }): string {
  const line = (name ?? '').replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim()
  return (line === '' ? email.slice(0, email.indexOf('@')) : line).slice(0, nameMax)
}
