import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { Catalogue } from '#domain/catalogue/catalogue.ts'
import { type JsonObject, parseJsonObject, stringAt } from '#lib/json.ts'
import { publicText } from '#lib/public-text.ts'
import { seal } from '#lib/seal.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { OwnKeyHealth, OwnKeyTerms, StoredOwnKey } from '#ports/own-keys.ts'
import {
  describeOwnKey,
  assertBaseUrl,
  assertScopes,
  type OwnKeyDeps,
  type OwnKeyProvider,
  readOwnKey,
} from './own-key-deps.ts'
import { parseApiKey, parseOwnKey, parseProvider } from './parse-own-key.ts'
import { nothingSynced, syncModels, type SyncResult } from './sync-models.ts'

const keysMax = 100
const defaultWay = { kind: 'protocol', protocol: 'openai' } as const

/**
 * Adds an own key. The provider's models are requested before the lock; a failure only affects the key's initial
 * health.
 */
export async function createOwnKey(
  deps: OwnKeyDeps,
  request: { organizationId: Uuid; body: JsonObject; stamp: AuditStamp; nowMs: number },
): Promise<{ key: StoredOwnKey; sync: SyncResult }> {
  const { organizationId, body, stamp, nowMs } = request
  const provider = parseProvider(body['provider'], deps.providers)
  const wish = parseOwnKey(body, deps.catalogue(), nowMs)
  const apiKey = parseApiKey(body['apiKey'], provider)
  const { name, baseUrl = provider?.baseUrl ?? undefined } = wish
  if (name === undefined) throw missing('name')
  if (baseUrl === undefined) throw missing('baseUrl')
  await assertBaseUrl(deps.egress, baseUrl, organizationId)
  if (provider !== null && wish.way !== undefined) throw malformed('Set either provider or protocol, not both.')
  const way = provider === null ? (wish.way ?? defaultWay) : ({ kind: 'provider', provider: provider.slug } as const)
  const { fallbackMode = 'seamless', scopedKeyIds = [], enabled = true } = wish
  const id = newUuid(nowMs)
  const asked = { id, organizationId, way, baseUrl, apiKey }
  const synced =
    provider?.listsModels === false
      ? offeredModels(provider, wish.mappings, deps.catalogue())
      : await synchronize(deps, asked, wish.mappings, nowMs)
  const { mappings, health } = synced
  const terms: OwnKeyTerms = { name, baseUrl, way, fallbackMode, mappings, scopedKeyIds, enabled }
  const keyMask = maskOf(apiKey)
  const key = await deps.store.change(organizationId, async (keys) => {
    if ((await keys.list()).length >= keysMax) {
      throw malformed(`An organization can have at most ${keysMax} BYOK keys. Delete one first.`)
    }
    await assertScopes(keys, scopedKeyIds)
    await keys.insert({ ...terms, id, keyMask, credential: seal(deps.sealingKey, apiKey, id), health })
    const target = { kind: 'own_key', id }
    await keys.append({ ...stamp, action: 'byok.key.create', target, after: describeOwnKey({ ...terms, keyMask }) })
    return readOwnKey(await keys.list(), id)
  })
  await deps.changed()
  return { key, sync: synced.result }
}

interface Synchronized {
  readonly result: SyncResult
  readonly mappings: OwnKeyTerms['mappings']
  readonly health: OwnKeyHealth
}

async function synchronize(
  deps: OwnKeyDeps,
  query: Parameters<OwnKeyDeps['listModels']>[0],
  written: OwnKeyTerms['mappings'] | undefined,
  nowMs: number,
): Promise<Synchronized> {
  try {
    const names = await deps.listModels(query)
    const health = { consecutiveFailures: 0, lastError: null, lastCheckedAtMs: nowMs }
    return { ...syncModels(names, written, deps.catalogue(), nowMs), health }
  } catch (error) {
    // The provider was not called, so this error says nothing about the key.
    if (error instanceof GatewayError) throw error
    const lastError = publicText(error instanceof Error ? error.message : 'The provider could not be reached.')
    const health = { consecutiveFailures: 1, lastError, lastCheckedAtMs: nowMs }
    return { result: nothingSynced, mappings: written ?? [], health }
  }
}

/** A provider that doesn't tell which models a key can call: those that the catalogue knows there. */
function offeredModels(
  provider: OwnKeyProvider,
  written: OwnKeyTerms['mappings'] | undefined,
  catalogue: Catalogue,
): Synchronized {
  const mappings = written ?? offersOf(provider.slug, catalogue)
  const matched = mappings.map(({ model }) => model)
  return { result: { ...nothingSynced, matched }, mappings, health: unknownHealth }
}

const unknownHealth: OwnKeyHealth = { consecutiveFailures: 0, lastError: null, lastCheckedAtMs: null }

function offersOf(provider: string, catalogue: Catalogue): OwnKeyTerms['mappings'] {
  return [...catalogue.models.values()].flatMap((model) => {
    const offer = model.offers.find((each) => each.provider === provider)
    return offer === undefined ? [] : [{ model: model.id, upstreamModel: offer.upstreamModel, enabled: true }]
  })
}

/**
 * Shows enough to tell keys apart and too little to guess one. A short key shows nothing, a service account its email
 * address.
 */
function maskOf(apiKey: string): string {
  const email = apiKey.startsWith('{') ? stringAt(parseJsonObject(apiKey) ?? {}, 'client_email') : undefined
  if (email !== undefined) return email.slice(0, 200)
  return apiKey.length < 12 ? '…' : `${apiKey.slice(0, 3)}…${apiKey.slice(-4)}`
}

function missing(name: string): GatewayError {
  return new GatewayError('missingRequiredField', { message: `The field \`${name}\` is required.` })
}
