import type { Pool } from 'pg'

/**
 * After a move to another cluster: numbers what is settled from now on above all that was settled before. True if the
 * database had been moved; then the fold goes on from here.
 */
export async function rebaseMarks(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ moved: boolean }>('SELECT rebase_marks() AS moved')
  return rows[0]?.moved === true
}
