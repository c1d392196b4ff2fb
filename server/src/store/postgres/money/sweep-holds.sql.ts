import type { Pool } from 'pg'

/** Ends holds whose lease has run out, and returns how many. */
export async function sweepHolds(pool: Pool, atMost: number): Promise<number> {
  const { rows } = await pool.query<{ swept: number }>({
    name: 'sweep-holds',
    text: 'SELECT sweep_holds($1) AS swept',
    values: [atMost],
  })
  return rows[0]?.swept ?? 0
}
