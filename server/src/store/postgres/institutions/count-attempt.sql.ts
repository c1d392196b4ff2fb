import type { Pool } from 'pg'
import { codeRules } from '#domain/institutions/code-rules.ts'

// The row's lock makes parallel attempts take turns, and each sees what the one before it has counted.
const text = `UPDATE institution_codes SET attempts = attempts + 1 WHERE subject = $1 AND attempts < $2
  RETURNING code_hmac, expires_at > now() AS is_live, attempts = $2 AS is_last`

/** Null: there is no code, or no attempt at it is left. */
export async function countAttempt(
  pool: Pool,
  subject: Buffer,
): Promise<{ codeHmac: Buffer; isLive: boolean; isLast: boolean } | null> {
  const { rows } = await pool.query<{ code_hmac: Buffer; is_live: boolean; is_last: boolean }>({
    name: 'count-attempt',
    text,
    values: [subject, codeRules.attemptsMax],
  })
  const [row] = rows
  return row === undefined ? null : { codeHmac: row.code_hmac, isLive: row.is_live, isLast: row.is_last }
}
