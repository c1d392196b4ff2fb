import type { Pool, PoolClient } from 'pg'
import { freeRules } from '#domain/limits/free-quota.ts'
import type { FreeModel } from '#domain/routing/free-models.ts'
import type { FreeModelStore } from '#ports/operators.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { inTransaction } from '../with-client.ts'

export function createFreeModelStore(pool: Pool): FreeModelStore {
  return {
    list: () => selectFreeModels(pool),
    set: (modelId, change, describe) =>
      inTransaction(pool, 'READ COMMITTED', async (client) => {
        await lockFreeModels(client)
        const [before] = await selectFreeModels(client, modelId)
        const after = { ...usual, ...termsOf(before), ...change }
        await upsertFreeModel(client, modelId, after)
        const states = { ...(before === undefined ? {} : { before: { ...termsOf(before) } }), after: { ...after } }
        await appendAudit(client, [describe(states)], Date.now())
        return after
      }),
    remove: (modelId, describe) =>
      inTransaction(pool, 'READ COMMITTED', async (client) => {
        await lockFreeModels(client)
        const [before] = await selectFreeModels(client, modelId)
        if (before === undefined) return false
        await deleteFreeModel(client, modelId)
        await appendAudit(client, [describe({ before: { ...termsOf(before) } })], Date.now())
        return true
      }),
  }
}

const usual: FreeModel = {
  requestsPerMinute: freeRules.requestsPerMinute,
  unitsPerDay: freeRules.unitsPerDay,
  enabled: true,
}

function termsOf(model: FreeModel | undefined): FreeModel | undefined {
  if (model === undefined) return undefined
  const { requestsPerMinute, unitsPerDay, enabled } = model
  return { requestsPerMinute, unitsPerDay, enabled }
}

/** Free models are changed one at a time, so that the audit log states the true previous value. */
async function lockFreeModels(client: PoolClient): Promise<void> {
  const text = `SELECT FROM revisions WHERE topic = 'free' FOR UPDATE`
  await client.query(text)
}

interface Row {
  model_id: string
  requests_per_minute: number
  units_per_day: number
  enabled: boolean
}

/** All free models, or the one with this id. */
export async function selectFreeModels(
  connection: Pool | PoolClient,
  modelId: string | null = null,
): Promise<(FreeModel & { modelId: string })[]> {
  const text = `SELECT model_id, requests_per_minute, units_per_day, enabled FROM free_models
    WHERE $1::text IS NULL OR model_id = $1 ORDER BY model_id`
  const { rows } = await connection.query<Row>(text, [modelId])
  return rows.map((row) => ({
    modelId: row.model_id,
    requestsPerMinute: row.requests_per_minute,
    unitsPerDay: row.units_per_day,
    enabled: row.enabled,
  }))
}

async function upsertFreeModel(client: PoolClient, modelId: string, model: FreeModel): Promise<void> {
  const text = `WITH moved AS (
      UPDATE revisions SET revision = revision + 1 WHERE topic = 'free'
    )
    INSERT INTO free_models AS f (model_id, requests_per_minute, units_per_day, enabled) VALUES ($1, $2, $3, $4)
    ON CONFLICT (model_id) DO UPDATE SET requests_per_minute = $2, units_per_day = $3, enabled = $4, updated_at = now()`
  await client.query(text, [modelId, model.requestsPerMinute, model.unitsPerDay, model.enabled])
}

async function deleteFreeModel(client: PoolClient, modelId: string): Promise<void> {
  const text = `WITH moved AS (
      UPDATE revisions SET revision = revision + 1 WHERE topic = 'free'
    )
    DELETE FROM free_models WHERE model_id = $1`
  await client.query(text, [modelId])
}
