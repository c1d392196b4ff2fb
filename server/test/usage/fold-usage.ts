import type { Pool } from 'pg'
import { createPostgresFold } from '#store/postgres/usage/postgres-fold.ts'

/** Adds every settled request up, as a worker does. Answers how many there were. */
export async function foldUsage(pool: Pool, batchMax = 1_000): Promise<number> {
  const fold = createPostgresFold(pool)
  // Transactions of other databases on the same engine may be running: until they end nobody knows that they did not settle.
  const { rows } = await pool.query<{ count: string }>(
    'SELECT count(*) FROM generations, rollup_state WHERE settled_mark >= folded_below',
  )
  const waiting = Number(rows[0]?.count ?? 0)
  let folded = 0
  while (folded < waiting) folded += (await fold.fold(batchMax)).folded
  return folded
}
