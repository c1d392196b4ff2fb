import type { Pool } from 'pg'

/** Every table that the money functions write. */
const tables = [
  'wallets',
  'end_customers',
  'holds',
  'lapsed_holds',
  'spend_windows',
  'key_usage_days',
  'spend_days',
  'generations',
  'ledger_transfers',
] as const

export type SavedTables = ReadonlyMap<string, string>

export async function emptyTables(pool: Pool): Promise<void> {
  await pool.query(
    tables
      .toReversed()
      .map((table) => `DELETE FROM ${table}`)
      .join(';'),
  )
}

/** The contents of the tables, to restore after a crash has lost later commits. */
export async function saveTables(pool: Pool): Promise<SavedTables> {
  const columns = tables.map((table) => `(SELECT coalesce(json_agg(t), '[]')::text FROM ${table} t) AS ${table}`)
  const { rows } = await pool.query<Record<string, string>>(`SELECT ${columns.join(', ')}`)
  return new Map(Object.entries(rows[0] ?? {}))
}

export async function restoreTables(pool: Pool, saved: SavedTables): Promise<void> {
  await emptyTables(pool)
  for (const [table, rows] of saved) {
    await pool.query(`INSERT INTO ${table} SELECT * FROM json_populate_recordset(NULL::${table}, $1)`, [rows])
  }
}
