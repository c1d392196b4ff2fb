import type { Pool, PoolClient } from 'pg'
import type { FreeModel } from '#domain/routing/free-models.ts'

const text = `SELECT model_id, requests_per_minute, units_per_day, enabled FROM free_models
  WHERE $1::text IS NULL OR model_id = $1 ORDER BY model_id`

interface Row {
  model_id: string
  requests_per_minute: number
  units_per_day: number
  enabled: boolean
}

/** All of them, or the one with this id. */
export async function selectFreeModels(
  connection: Pool | PoolClient,
  modelId: string | null = null,
): Promise<(FreeModel & { modelId: string })[]> {
  const { rows } = await connection.query<Row>(text, [modelId])
  return rows.map((row) => ({
    modelId: row.model_id,
    requestsPerMinute: row.requests_per_minute,
    unitsPerDay: row.units_per_day,
    enabled: row.enabled,
  }))
}
