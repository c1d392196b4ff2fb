import type { PoolClient } from 'pg'
import type { FreeModel } from '#domain/routing/free-models.ts'

const text = `WITH moved AS (
    UPDATE revisions SET revision = revision + 1 WHERE topic = 'free'
  )
  INSERT INTO free_models AS f (model_id, requests_per_minute, units_per_day, enabled) VALUES ($1, $2, $3, $4)
  ON CONFLICT (model_id) DO UPDATE SET requests_per_minute = $2, units_per_day = $3, enabled = $4, updated_at = now()`

export async function upsertFreeModel(client: PoolClient, modelId: string, model: FreeModel): Promise<void> {
  await client.query(text, [modelId, model.requestsPerMinute, model.unitsPerDay, model.enabled])
}
