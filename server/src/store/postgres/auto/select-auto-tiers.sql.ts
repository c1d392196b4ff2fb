import type { Pool } from 'pg'
import type { TierRow } from '#domain/routing/auto/auto-tables.ts'
import { autoTables, autoTiers } from '#domain/routing/auto/tiers.ts'

// The revision stands in every row, so that it is of the same moment.
const text = `SELECT table_name AS table, tier, enabled, models,
    (SELECT revision FROM revisions WHERE topic = 'auto') AS revision
  FROM auto_tiers`

export async function selectAutoTiers(pool: Pool): Promise<{ revision: number; rows: TierRow[] }> {
  const { rows } = await pool.query<TierRow & { revision: string }>(text)
  const revision = Number(rows[0]?.revision ?? 0)
  const tiers = rows.map(({ table, tier, enabled, models }) => ({ table, tier, enabled, models }))
  return { revision, rows: tiers.toSorted((one, other) => place(one) - place(other)) }
}

function place({ table, tier }: TierRow): number {
  return autoTables.indexOf(table) * autoTiers.length + autoTiers.indexOf(tier)
}
