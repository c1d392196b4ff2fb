import { type ConnectionKind, connectionKinds, type ConnectionSettings } from '#domain/sign-on/connection.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { publicText } from '#lib/public-text.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { Egress } from '#ports/outbound.ts'
import type { FetchMetadata } from '#ports/sign-on.ts'
import { assertProviderUrl, parseOidc, textOf } from './parse-connection.ts'
import { metadataIn, parseSaml } from './parse-saml.ts'

export interface SettingsDeps {
  readonly egress: Egress
  readonly fetchMetadata: FetchMetadata
}

interface SettingsRequest {
  readonly body: JsonObject
  /** Null for a new connection. */
  readonly before: ConnectionSettings | null
  readonly organizationId: Uuid
  readonly nowMs: number
}

/** The settings of a connection after a request. The protocol of a connection never changes. */
export async function readSettings(deps: SettingsDeps, request: SettingsRequest): Promise<ConnectionSettings> {
  const { body, before, nowMs } = request
  const kind = before?.kind ?? kindIn(body)
  if (body['kind'] !== undefined && body['kind'] !== kind) throw malformed('kind cannot be changed.')
  if (kind === 'oidc') return parseOidc(body, before?.kind === 'oidc' ? before : null)
  const metadata = metadataIn(body) ?? (await fetchMetadata(deps, request))
  return parseSaml(body, { before: before?.kind === 'saml' ? before : null, metadata, nowMs })
}

function kindIn({ kind = 'oidc' }: JsonObject): ConnectionKind {
  const known = connectionKinds.find((each) => each === kind)
  if (known === undefined) throw malformed(`kind must be one of ${connectionKinds.join(', ')}.`)
  return known
}

/** Read once: the provider must not change whom we trust without an administrator. */
async function fetchMetadata(
  deps: SettingsDeps,
  { body, organizationId }: SettingsRequest,
): Promise<string | undefined> {
  const url = textOf(body, 'metadataUrl')
  if (url === undefined) return undefined
  await assertProviderUrl(deps.egress, { url, field: 'metadataUrl', account: organizationId })
  try {
    return await deps.fetchMetadata(organizationId, new URL(url))
  } catch (error) {
    if (error instanceof GatewayError || !(error instanceof Error)) throw error
    throw malformed(`metadataUrl could not be read: ${publicText(error.message)}`)
  }
}

/** Rejects settings whose URLs are not on the public internet. */
export async function assertUrls(
  { egress }: Pick<SettingsDeps, 'egress'>,
  settings: ConnectionSettings,
  account: Uuid,
): Promise<void> {
  const [url, field] = settings.kind === 'oidc' ? [settings.issuer, 'issuer'] : [settings.signInUrl, 'signInUrl']
  await assertProviderUrl(egress, { url, field, account })
}
