import type { Pool } from 'pg'

// Requests are judged over an hour, codes live a day at most, and an administrator may look back a month at sessions.
const text = `WITH requests AS (
    DELETE FROM institution_code_requests WHERE id IN (
      SELECT id FROM institution_code_requests WHERE at < now() - interval '2 hours' LIMIT $1) RETURNING 1
  ), codes AS (
    DELETE FROM institution_codes WHERE subject IN (
      SELECT subject FROM institution_codes WHERE created_at < now() - interval '25 hours' LIMIT $1) RETURNING 1
  ), sessions AS (
    DELETE FROM institution_sessions WHERE id IN (
      SELECT id FROM institution_sessions WHERE expires_at < now() - interval '30 days' LIMIT $1) RETURNING 1)
  SELECT ((SELECT count(*) FROM requests) + (SELECT count(*) FROM codes) + (SELECT count(*) FROM sessions))::integer AS purged`

/** Deletes what nobody will ask for any more, at most so many rows of each kind; gives how many it deleted. */
export async function purgeInstitutions(pool: Pool, atMost: number): Promise<number> {
  const { rows } = await pool.query<{ purged: number }>(text, [atMost])
  return rows[0]?.purged ?? 0
}
