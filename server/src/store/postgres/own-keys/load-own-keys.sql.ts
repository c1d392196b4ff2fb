import type { Pool } from 'pg'
import type { FallbackMode, OwnKeyProtocol } from '#domain/routing/own-keys.ts'

// One statement, so that the revision, the keys and their mappings are of the same moment.
const text = `SELECT
  (SELECT revision FROM revisions WHERE topic = 'own_keys') AS revision,
  (SELECT coalesce(json_agg(json_build_object('id', k.id, 'organizationId', k.organization_id, 'name', k.name,
      'baseUrl', k.base_url, 'credential', k.credential, 'protocol', k.protocol, 'fallbackMode', k.fallback_mode,
      'scopedKeyIds', k.scoped_key_ids, 'models', (SELECT coalesce(json_object_agg(m.model_id, m.upstream_model), '{}')
        FROM own_key_models m WHERE m.own_key_id = k.id AND m.enabled)) ORDER BY k.id), '[]')
   FROM own_keys k WHERE k.enabled) AS keys`

export interface LoadedOwnKey {
  id: string
  organizationId: string
  name: string
  baseUrl: string
  /** Sealed. */
  credential: unknown
  protocol: OwnKeyProtocol
  fallbackMode: FallbackMode
  scopedKeyIds: string[]
  models: Record<string, string>
}

/** Every enabled key with its enabled mappings. */
export async function loadOwnKeys(pool: Pool): Promise<{ revision: number; keys: LoadedOwnKey[] }> {
  const { rows } = await pool.query<{ revision: string | null; keys: LoadedOwnKey[] }>(text)
  const [row] = rows
  if (row === undefined) throw new Error('the statement about own keys answered no row')
  return { revision: Number(row.revision ?? 0), keys: row.keys }
}
