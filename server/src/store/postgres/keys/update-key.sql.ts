import type { PoolClient } from 'pg'
import type { KeySettings } from '#domain/access/key-settings.ts'
import type { Uuid } from '#lib/uuid.ts'

const text = `UPDATE api_keys SET enabled = $2, spend_limit_nano = $3, spend_limit_period = $4, allowed_cidrs = $5, free_fallback = $6,
    updated_at = now()
  WHERE id = $1`

export async function updateKey(client: PoolClient, keyId: Uuid, settings: KeySettings): Promise<void> {
  const { enabled, limit, period, allowedCidrs, freeFallback } = settings
  await client.query(text, [keyId, enabled, limit, period, allowedCidrs, freeFallback])
}
