import type { PoolClient } from 'pg'
import type { TierModels, TierRow } from '#domain/routing/auto/auto-tables.ts'

// The row is locked before it is read, so that of two changes the later one sees what the earlier has left.
const text = `WITH before AS (
    SELECT enabled, models FROM auto_tiers WHERE table_name = $1 AND tier = $2 FOR NO KEY UPDATE
  ), moved AS (
    UPDATE revisions SET revision = revision + 1 WHERE topic = 'auto'
  )
  UPDATE auto_tiers SET enabled = coalesce($3, before.enabled), models = coalesce($4, before.models), updated_at = now()
  FROM before WHERE table_name = $1 AND tier = $2
  RETURNING auto_tiers.enabled, auto_tiers.models, before.enabled AS was_enabled, before.models AS had_models`

interface Row extends TierModels {
  was_enabled: boolean
  had_models: string[]
}

/** Gives the tier as it was and as it is now. */
export async function updateAutoTier(
  client: PoolClient,
  { table, tier }: Pick<TierRow, 'table' | 'tier'>,
  change: Partial<TierModels>,
): Promise<{ before: TierModels; after: TierModels }> {
  const { rows } = await client.query<Row>(text, [table, tier, change.enabled ?? null, change.models ?? null])
  const [row] = rows
  if (row === undefined) throw new Error(`the ${table} table has no tier ${tier}`)
  return {
    before: { enabled: row.was_enabled, models: row.had_models },
    after: { enabled: row.enabled, models: row.models },
  }
}
