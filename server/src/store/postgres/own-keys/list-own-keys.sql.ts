import type { Pool, PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { StoredOwnKey } from '#ports/own-keys.ts'
import { type OwnKeyRow, readOwnKey } from './own-key-row.ts'

const text = `SELECT k.id, k.name, k.base_url, k.key_mask, k.protocol, k.fallback_mode, k.scoped_key_ids, k.enabled,
    k.consecutive_failures, k.last_error, k.last_checked_at, k.created_at, k.updated_at,
    (SELECT coalesce(json_agg(json_build_object('model', m.model_id, 'upstreamModel', m.upstream_model,
       'enabled', m.enabled) ORDER BY m.model_id), '[]') FROM own_key_models m WHERE m.own_key_id = k.id) AS mappings
  FROM own_keys k WHERE k.organization_id = $1 ORDER BY k.id`

export async function listOwnKeys(connection: Pool | PoolClient, organizationId: Uuid): Promise<StoredOwnKey[]> {
  const { rows } = await connection.query<OwnKeyRow>({ name: 'list-own-keys', text, values: [organizationId] })
  return rows.map(readOwnKey)
}
