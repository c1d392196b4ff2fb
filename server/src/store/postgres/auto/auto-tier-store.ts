import type { Pool, PoolClient } from 'pg'
import type { TierModels, TierRow } from '#domain/routing/auto/auto-tables.ts'
import { autoTables, autoTiers } from '#domain/routing/auto/tiers.ts'
import type { AutoTierStore } from '#ports/operators.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { inTransaction } from '../with-client.ts'

export function createAutoTierStore(pool: Pool, nowMs: () => number): AutoTierStore {
  return {
    list: async () => (await selectAutoTiers(pool)).rows,
    change: (place, change, describe) =>
      inTransaction(pool, 'READ COMMITTED', async (client) => {
        const { before, after } = await updateAutoTier(client, place, change)
        const entry = describe(before, after)
        if (entry !== null) await appendAudit(client, [entry], nowMs())
        return { ...place, ...after }
      }),
  }
}

export async function selectAutoTiers(pool: Pool): Promise<{ revision: number; rows: TierRow[] }> {
  // Every row has the revision, so that it belongs to the same snapshot.
  const text = `SELECT table_name AS table, tier, enabled, models,
      (SELECT revision FROM revisions WHERE topic = 'auto') AS revision
    FROM auto_tiers`
  const { rows } = await pool.query<TierRow & { revision: string }>(text)
  const revision = Number(rows[0]?.revision ?? 0)
  const tiers = rows.map(({ table, tier, enabled, models }) => ({ table, tier, enabled, models }))
  return { revision, rows: tiers.toSorted((one, other) => place(one) - place(other)) }
}

function place({ table, tier }: TierRow): number {
  return autoTables.indexOf(table) * autoTiers.length + autoTiers.indexOf(tier)
}

interface Row extends TierModels {
  was_enabled: boolean
  had_models: string[]
}

/** Returns the tier before and after the change. */
async function updateAutoTier(
  client: PoolClient,
  { table, tier }: Pick<TierRow, 'table' | 'tier'>,
  change: Partial<TierModels>,
): Promise<{ before: TierModels; after: TierModels }> {
  // The row is locked before it is read, so that the later of two changes sees the result of the earlier one.
  const text = `WITH before AS (
      SELECT enabled, models FROM auto_tiers WHERE table_name = $1 AND tier = $2 FOR NO KEY UPDATE
    ), moved AS (
      UPDATE revisions SET revision = revision + 1 WHERE topic = 'auto'
    )
    UPDATE auto_tiers SET enabled = coalesce($3, before.enabled), models = coalesce($4, before.models), updated_at = now()
    FROM before WHERE table_name = $1 AND tier = $2
    RETURNING auto_tiers.enabled, auto_tiers.models, before.enabled AS was_enabled, before.models AS had_models`
  const { rows } = await client.query<Row>(text, [table, tier, change.enabled ?? null, change.models ?? null])
  const [row] = rows
  if (row === undefined) throw new Error(`the ${table} table has no tier ${tier}`)
  return {
    before: { enabled: row.was_enabled, models: row.had_models },
    after: { enabled: row.enabled, models: row.models },
  }
}
