import type { JsonObject } from '#lib/json.ts'
import type { OwnKeyHealth, StoredOwnKey } from '#ports/own-keys.ts'

/** An own key as its organization sees it. */
export function renderOwnKey(key: StoredOwnKey): JsonObject {
  return {
    id: key.id,
    name: key.name,
    baseUrl: key.baseUrl,
    keyMask: key.keyMask,
    protocol: key.protocol,
    fallbackMode: key.fallbackMode,
    modelMappings: key.mappings.map(({ model, upstreamModel, enabled }) => ({ model, upstreamModel, enabled })),
    scopedApiKeyIds: [...key.scopedKeyIds],
    enabled: key.enabled,
    health: renderHealth(key.health),
    createdAt: new Date(key.createdAtMs).toISOString(),
    updatedAt: new Date(key.updatedAtMs).toISOString(),
  }
}

function renderHealth({ consecutiveFailures, lastError, lastCheckedAtMs }: OwnKeyHealth): JsonObject {
  return {
    status: lastCheckedAtMs === null ? 'unknown' : consecutiveFailures === 0 ? 'healthy' : 'failing',
    lastCheckedAt: lastCheckedAtMs === null ? null : new Date(lastCheckedAtMs).toISOString(),
    lastError,
    consecutiveFailures,
  }
}
