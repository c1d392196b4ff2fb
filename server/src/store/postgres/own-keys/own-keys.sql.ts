import type { Pool, PoolClient } from 'pg'
import type { FallbackMode, OwnKeyProtocol, OwnKeyWay } from '#domain/routing/own-keys.ts'
import { assert } from '#lib/assert.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ModelMapping, NewOwnKey, OwnKeyNote, OwnKeyTerms, StoredOwnKey } from '#ports/own-keys.ts'

interface OwnKeyRow {
  id: string
  name: string
  base_url: string
  key_mask: string
  protocol: OwnKeyProtocol | null
  provider: string | null
  fallback_mode: FallbackMode
  mappings: ModelMapping[]
  scoped_key_ids: string[]
  enabled: boolean
  consecutive_failures: number
  last_error: string | null
  last_checked_at: Date | null
  created_at: Date
  updated_at: Date
}

function readOwnKey(row: OwnKeyRow): StoredOwnKey {
  return {
    id: row.id,
    name: row.name,
    baseUrl: row.base_url,
    keyMask: row.key_mask,
    way: readWay(row),
    fallbackMode: row.fallback_mode,
    mappings: row.mappings,
    scopedKeyIds: row.scoped_key_ids,
    enabled: row.enabled,
    health: {
      consecutiveFailures: row.consecutive_failures,
      lastError: row.last_error,
      lastCheckedAtMs: row.last_checked_at?.getTime() ?? null,
    },
    createdAtMs: row.created_at.getTime(),
    updatedAtMs: row.updated_at.getTime(),
  }
}

export function readWay({ protocol, provider }: Pick<OwnKeyRow, 'protocol' | 'provider'>): OwnKeyWay {
  if (provider !== null) return { kind: 'provider', provider }
  assert(protocol !== null, 'an own key has a protocol or a provider')
  return { kind: 'protocol', protocol }
}

function wayColumns(way: OwnKeyWay): Pick<OwnKeyRow, 'protocol' | 'provider'> {
  return way.kind === 'provider'
    ? { protocol: null, provider: way.provider }
    : { protocol: way.protocol, provider: null }
}

export async function listOwnKeys(connection: Pool | PoolClient, organizationId: Uuid): Promise<StoredOwnKey[]> {
  const text = `SELECT k.id, k.name, k.base_url, k.key_mask, k.protocol, k.provider, k.fallback_mode, k.scoped_key_ids, k.enabled,
      k.consecutive_failures, k.last_error, k.last_checked_at, k.created_at, k.updated_at,
      (SELECT coalesce(json_agg(json_build_object('model', m.model_id, 'upstreamModel', m.upstream_model,
         'enabled', m.enabled) ORDER BY m.model_id), '[]') FROM own_key_models m WHERE m.own_key_id = k.id) AS mappings
    FROM own_keys k WHERE k.organization_id = $1 ORDER BY k.id`
  const { rows } = await connection.query<OwnKeyRow>({ name: 'list-own-keys', text, values: [organizationId] })
  return rows.map(readOwnKey)
}

export async function findOrganizationKeys(
  client: PoolClient,
  organizationId: Uuid,
  ids: readonly Uuid[],
): Promise<Uuid[]> {
  const text = `SELECT id FROM api_keys WHERE organization_id = $1 AND id = ANY ($2::uuid[]) AND revoked_at IS NULL`
  const { rows } = await client.query<{ id: string }>(text, [organizationId, ids])
  return rows.map(({ id }) => id)
}

export async function insertOwnKey(client: PoolClient, organizationId: Uuid, key: NewOwnKey): Promise<void> {
  const text = `INSERT INTO own_keys (id, organization_id, name, base_url, credential, key_mask, protocol, fallback_mode,
      scoped_key_ids, enabled, consecutive_failures, last_error, last_checked_at, provider)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`
  const { consecutiveFailures, lastError, lastCheckedAtMs } = key.health
  const { protocol, provider } = wayColumns(key.way)
  await client.query(text, [
    key.id,
    organizationId,
    key.name,
    key.baseUrl,
    JSON.stringify(key.credential),
    key.keyMask,
    protocol,
    key.fallbackMode,
    key.scopedKeyIds,
    key.enabled,
    consecutiveFailures,
    lastError,
    lastCheckedAtMs === null ? null : new Date(lastCheckedAtMs),
    provider,
  ])
}

/** The credential and the provider cannot be changed. */
export async function updateOwnKey(
  client: PoolClient,
  which: { organizationId: Uuid; id: Uuid },
  terms: OwnKeyTerms,
): Promise<void> {
  const text = `UPDATE own_keys SET name = $3, base_url = $4, protocol = $5, fallback_mode = $6, scoped_key_ids = $7,
      enabled = $8, updated_at = now()
    WHERE organization_id = $1 AND id = $2`
  const { name, baseUrl, way, fallbackMode, scopedKeyIds, enabled } = terms
  const values = [
    which.organizationId,
    which.id,
    name,
    baseUrl,
    wayColumns(way).protocol,
    fallbackMode,
    scopedKeyIds,
    enabled,
  ]
  await client.query(text, values)
}

/** Also deletes its mappings. */
export async function deleteOwnKey(client: PoolClient, which: { organizationId: Uuid; id: Uuid }): Promise<void> {
  const text = 'DELETE FROM own_keys WHERE organization_id = $1 AND id = $2'
  await client.query(text, [which.organizationId, which.id])
}

export async function replaceMappings(client: PoolClient, id: Uuid, mappings: readonly ModelMapping[]): Promise<void> {
  const text = `WITH removed AS (
      DELETE FROM own_key_models WHERE own_key_id = $1 AND NOT (model_id = ANY ($2::text[]))
    )
    INSERT INTO own_key_models (own_key_id, model_id, upstream_model, enabled)
    SELECT $1, model_id, upstream_model, enabled
    FROM unnest($2::text[], $3::text[], $4::boolean[]) AS wanted (model_id, upstream_model, enabled)
    ON CONFLICT (own_key_id, model_id) DO UPDATE SET upstream_model = excluded.upstream_model, enabled = excluded.enabled`
  await client.query(text, [
    id,
    mappings.map(({ model }) => model),
    mappings.map(({ upstreamModel }) => upstreamModel),
    mappings.map(({ enabled }) => enabled),
  ])
}

/** Adds the results since the last call. Several processes may report the same key. */
export async function noteOwnKeys(pool: Pool, notes: readonly OwnKeyNote[]): Promise<void> {
  const text = `UPDATE own_keys k SET
      consecutive_failures = CASE WHEN seen.had_success THEN 0 ELSE k.consecutive_failures END + seen.failures,
      last_error = CASE WHEN seen.failures > 0 THEN seen.last_error ELSE NULL END,
      last_checked_at = now()
    FROM unnest($1::uuid[], $2::boolean[], $3::integer[], $4::text[]) AS seen (id, had_success, failures, last_error)
    WHERE k.id = seen.id`
  await pool.query(text, [
    notes.map(({ id }) => id),
    notes.map(({ hadSuccess }) => hadSuccess),
    notes.map(({ failures }) => failures),
    notes.map(({ lastError }) => lastError),
  ])
}
