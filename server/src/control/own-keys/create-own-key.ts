import type { AuditStamp } from '#domain/audit/audit-entry.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { publicText } from '#lib/public-text.ts'
import { seal } from '#lib/seal.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { OwnKeyHealth, OwnKeyTerms, StoredOwnKey } from '#ports/own-keys.ts'
import { describeOwnKey, assertBaseUrl, assertScopes, type OwnKeyDeps, readOwnKey } from './own-key-deps.ts'
import { parseApiKey, parseOwnKey } from './parse-own-key.ts'
import { nothingSynced, syncModels, type SyncResult } from './sync-models.ts'

const keysMax = 100

/**
 * Adds an own key. The provider's models are requested before the lock; a failure only affects the key's initial
 * health.
 */
export async function createOwnKey(
  deps: OwnKeyDeps,
  request: { organizationId: Uuid; body: JsonObject; stamp: AuditStamp; nowMs: number },
): Promise<{ key: StoredOwnKey; sync: SyncResult }> {
  const { organizationId, body, stamp, nowMs } = request
  const wish = parseOwnKey(body, deps.catalogue(), nowMs)
  const apiKey = parseApiKey(body['apiKey'])
  const { name, baseUrl, mappings: written } = wish
  if (name === undefined) throw missing('name')
  if (baseUrl === undefined) throw missing('baseUrl')
  await assertBaseUrl(deps.egress, baseUrl, organizationId)
  const { protocol = 'openai', fallbackMode = 'seamless', scopedKeyIds = [], enabled = true } = wish
  const id = newUuid(nowMs)
  const synced = await synchronize(deps, { id, organizationId, protocol, baseUrl, apiKey }, written, nowMs)
  const { mappings, health } = synced
  const terms: OwnKeyTerms = { name, baseUrl, protocol, fallbackMode, mappings, scopedKeyIds, enabled }
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

async function synchronize(
  deps: OwnKeyDeps,
  query: Parameters<OwnKeyDeps['listModels']>[0],
  written: OwnKeyTerms['mappings'] | undefined,
  nowMs: number,
): Promise<{ result: SyncResult; mappings: OwnKeyTerms['mappings']; health: OwnKeyHealth }> {
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

/** Shows enough to tell keys apart and too little to guess one. A short key shows nothing. */
function maskOf(apiKey: string): string {
  return apiKey.length < 12 ? '…' : `${apiKey.slice(0, 3)}…${apiKey.slice(-4)}`
}

function missing(name: string): GatewayError {
  return new GatewayError('missingRequiredField', { message: `The field \`${name}\` is required.` })
}
