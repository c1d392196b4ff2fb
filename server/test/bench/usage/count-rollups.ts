import type { Pool } from 'pg'

/** Row counts of each rollup table: in total, and for the measured organization. */
export type RollupCounts = Readonly<Record<string, { readonly rows: number; readonly ofOrganization: number }>>

export const rollupTables = ['usage_series', 'usage_hours', 'usage_days', 'usage_months', 'usage_account_days'] as const

export async function countRollups(pool: Pool, walletId: string): Promise<RollupCounts> {
  const counts: Record<string, { rows: number; ofOrganization: number }> = {}
  for (const table of rollupTables) {
    const text = `SELECT count(*)::integer AS rows, (count(*) FILTER (WHERE wallet_id = $1))::integer AS "ofOrganization" FROM ${table}`
    const { rows } = await pool.query<{ rows: number; ofOrganization: number }>(text, [walletId])
    if (rows[0] !== undefined) counts[table] = rows[0]
  }
  return counts
}
