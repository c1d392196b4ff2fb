import type { Pool } from 'pg'

const keptDays = 400

/** Deletes who was told, long after it. Operators keep the announcement itself. Returns how many rows there were. */
export async function purgeToldCustomers(pool: Pool, atMost: number): Promise<number> {
  const text = `DELETE FROM announced_customers WHERE (announcement_id, wallet_id) IN (
    SELECT c.announcement_id, c.wallet_id FROM announced_customers c JOIN announcements a ON a.id = c.announcement_id
    WHERE a.created_at < now() - $2::integer * interval '1 day' LIMIT $1)`
  return (await pool.query(text, [atMost, keptDays])).rowCount ?? 0
}
