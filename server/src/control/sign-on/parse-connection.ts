import type { ConnectionSettings, OidcSettings } from '#domain/sign-on/connection.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import type { Egress } from '#ports/outbound.ts'

/** Fields of a new or changed connection. Undefined fields were not sent. */
export interface ConnectionWish {
  readonly name: string | undefined
  readonly clientSecret: string | undefined
  readonly enabled: boolean | undefined
  readonly enforced: boolean | undefined
}

const textMax = 2_048

export function parseConnectionWish(body: JsonObject): ConnectionWish {
  return {
    name: textOf(body, 'name'),
    clientSecret: textOf(body, 'clientSecret'),
    enabled: flagOf(body, 'enabled'),
    enforced: flagOf(body, 'enforced'),
  }
}

/** The settings of an OpenID Connect provider: the given fields over those that are stored. */
export function parseOidc(body: JsonObject, before: OidcSettings | null): ConnectionSettings {
  const issuer = textOf(body, 'issuer') ?? before?.issuer
  const clientId = textOf(body, 'clientId') ?? before?.clientId
  if (issuer === undefined) throw malformed('issuer is required for OpenID Connect.')
  if (clientId === undefined) throw malformed('clientId is required for OpenID Connect.')
  const groupsClaim = textOf(body, 'groupsClaim') ?? before?.groupsClaim ?? 'groups'
  return { kind: 'oidc', issuer, clientId, groupsClaim }
}

/** Rejects a URL that is not on the public internet, by its text or by the resolved address. */
export async function assertProviderUrl(
  egress: Egress,
  { url, field, account }: { url: string; field: string; account: string },
): Promise<void> {
  const verdict = await egress.judge(url, account)
  if (!verdict.allowed) throw malformed(`${field} ${verdict.message}`)
}

/** A string without surrounding spaces, or undefined if the field was not sent. */
export function textOf(body: JsonObject, name: string): string | undefined {
  const value = body[name]
  if (value === undefined) return undefined
  if (typeof value !== 'string') throw malformed(`${name} must be a string.`)
  const text = value.trim()
  if (text === '' || text.length > textMax) throw malformed(`${name} must have 1 to ${textMax} characters.`)
  return text
}

export function flagOf(body: JsonObject, name: string): boolean | undefined {
  const value = body[name]
  if (value !== undefined && typeof value !== 'boolean') throw malformed(`${name} must be true or false.`)
  return value
}
