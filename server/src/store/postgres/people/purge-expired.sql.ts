import type { Pool } from 'pg'

const text = `WITH sessions AS (
    DELETE FROM auth_sessions WHERE id IN (
      SELECT id FROM auth_sessions WHERE expires_at < now() - interval '1 day' LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING 1
  ), verifications AS (
    DELETE FROM auth_verifications WHERE id IN (
      SELECT id FROM auth_verifications WHERE expires_at < now() - interval '1 day' LIMIT $1 FOR UPDATE SKIP LOCKED)
    RETURNING 1
  )
  SELECT greatest((SELECT count(*) FROM sessions), (SELECT count(*) FROM verifications))::integer AS gone`

/** Forgets sessions and links a day after they have run out, at most so many of each; answers the larger of the two numbers. */
export async function purgeExpired(pool: Pool, atMost: number): Promise<number> {
  const { rows } = await pool.query<{ gone: number }>(text, [atMost])
  return rows[0]?.gone ?? 0
}
