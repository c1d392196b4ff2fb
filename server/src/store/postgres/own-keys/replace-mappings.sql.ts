import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { ModelMapping } from '#ports/own-keys.ts'

const text = `WITH removed AS (
    DELETE FROM own_key_models WHERE own_key_id = $1 AND NOT (model_id = ANY ($2::text[]))
  )
  INSERT INTO own_key_models (own_key_id, model_id, upstream_model, enabled)
  SELECT $1, model_id, upstream_model, enabled
  FROM unnest($2::text[], $3::text[], $4::boolean[]) AS wanted (model_id, upstream_model, enabled)
  ON CONFLICT (own_key_id, model_id) DO UPDATE SET upstream_model = excluded.upstream_model, enabled = excluded.enabled`

export async function replaceMappings(client: PoolClient, id: Uuid, mappings: readonly ModelMapping[]): Promise<void> {
  await client.query(text, [
    id,
    mappings.map(({ model }) => model),
    mappings.map(({ upstreamModel }) => upstreamModel),
    mappings.map(({ enabled }) => enabled),
  ])
}
