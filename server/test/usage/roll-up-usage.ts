import type { Pool } from 'pg'
import { createPostgresRollup } from '#store/postgres/usage/postgres-rollup.ts'

/** Rolls up every settled request like a worker. Returns their number. */
export async function rollUpUsage(pool: Pool, batchMax = 1_000): Promise<number> {
  const rollup = createPostgresRollup(pool)
  // Transactions of other databases on the same server may be running: until they end, it is unknown whether they
  // settled requests.
  const { rows } = await pool.query<{ count: string }>(
    'SELECT count(*) FROM generations, rollup_state WHERE settled_position >= rolled_up_below',
  )
  const waiting = Number(rows[0]?.count ?? 0)
  let rolledUp = 0
  while (rolledUp < waiting) rolledUp += (await rollup.rollUp(batchMax)).rolledUp
  return rolledUp
}
