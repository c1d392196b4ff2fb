import type { Pool } from 'pg'

/** Makes the partitions of the coming days; returns how many were missing. */
export async function ensurePartitions(pool: Pool, daysAhead: number): Promise<number> {
  const { rows } = await pool.query<{ made: number }>({
    name: 'ensure-partitions',
    text: `SELECT ensure_partitions((now() AT TIME ZONE 'UTC')::date, $1) AS made`,
    values: [daysAhead],
  })
  return rows[0]?.made ?? 0
}
