import type { Pool } from 'pg'

// Rows that another worker is deleting are left to it.
const text = `DELETE FROM moderation_evidence WHERE id IN (
    SELECT id FROM moderation_evidence WHERE expires_at <= now() ORDER BY expires_at LIMIT $1 FOR UPDATE SKIP LOCKED)`

/** Deletes evidence that has expired; gives how much. */
export async function purgeEvidence(pool: Pool, atMost: number): Promise<number> {
  const { rowCount } = await pool.query(text, [atMost])
  return rowCount ?? 0
}
