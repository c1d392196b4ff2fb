import type { Pool } from 'pg'

// Hours after its end nobody asks for a minute's or hour's window; a settle that comes so late makes it anew from stored sums.
// Rows that another worker is deleting are left to it.
const text = `DELETE FROM spend_windows s USING (
    SELECT kind, owner_id, starts_at FROM spend_windows
    WHERE (kind LIKE '%\\_minute' OR kind LIKE '%\\_hour') AND held_nano = 0
      AND starts_at < (extract(epoch FROM now() - interval '3 hours') * 1000)::bigint
    ORDER BY starts_at LIMIT $1 FOR UPDATE SKIP LOCKED
  ) AS old WHERE s.kind = old.kind AND s.owner_id = old.owner_id AND s.starts_at = old.starts_at`

/** Deletes windows of spend breakers that are over and hold nothing; gives how many. */
export async function purgeWindows(pool: Pool, atMost: number): Promise<number> {
  const { rowCount } = await pool.query(text, [atMost])
  return rowCount ?? 0
}
