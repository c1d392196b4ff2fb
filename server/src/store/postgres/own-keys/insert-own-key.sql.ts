import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { NewOwnKey } from '#ports/own-keys.ts'

const text = `INSERT INTO own_keys (id, organization_id, name, base_url, credential, key_mask, protocol, fallback_mode,
    scoped_key_ids, enabled, consecutive_failures, last_error, last_checked_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)`

export async function insertOwnKey(client: PoolClient, organizationId: Uuid, key: NewOwnKey): Promise<void> {
  const { consecutiveFailures, lastError, lastCheckedAtMs } = key.health
  await client.query(text, [
    key.id,
    organizationId,
    key.name,
    key.baseUrl,
    JSON.stringify(key.credential),
    key.keyMask,
    key.protocol,
    key.fallbackMode,
    key.scopedKeyIds,
    key.enabled,
    consecutiveFailures,
    lastError,
    lastCheckedAtMs === null ? null : new Date(lastCheckedAtMs),
  ])
}
