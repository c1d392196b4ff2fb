import type { Pool } from 'pg'
import type { NewCode } from '#ports/institution-door.ts'

const text = `INSERT INTO institution_codes (subject, key_id, code_hmac, expires_at)
  VALUES ($1, $2, $3, now() + make_interval(secs => $4))
  ON CONFLICT (subject) DO UPDATE SET key_id = excluded.key_id, code_hmac = excluded.code_hmac, attempts = 0,
    created_at = now(), expires_at = excluded.expires_at`

/** One row for a subject, so an older code dies with the new one. */
export async function putCode(pool: Pool, { subject, keyId, codeHmac, ttlS }: NewCode): Promise<void> {
  await pool.query({ name: 'put-code', text, values: [subject, keyId, codeHmac, ttlS] })
}
