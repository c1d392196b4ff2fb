import type { Pool } from 'pg'

const text = `WITH changed AS (
    UPDATE provider_accounts SET enabled = $2 WHERE name = $1 RETURNING id
  ), moved AS (
    UPDATE revisions SET revision = revision + 1 WHERE topic = 'routing' AND EXISTS (SELECT FROM changed)
  )
  SELECT id FROM changed`

/** False when there is no such account. */
export async function setAccountEnabled(pool: Pool, name: string, enabled: boolean): Promise<boolean> {
  const { rowCount } = await pool.query(text, [name, enabled])
  return rowCount === 1
}
