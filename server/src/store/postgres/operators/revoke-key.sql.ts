import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { ChangedKey } from '#ports/key-book.ts'

// The row stays, because the records of its requests refer to it.
const text = `UPDATE api_keys SET enabled = false, revoked_at = now(), updated_at = now() WHERE id = $1 AND revoked_at IS NULL
  RETURNING encode(secret_hash, 'hex') AS "secretHash"`

export async function revokeKey(pool: Pool, keyId: Uuid): Promise<ChangedKey | null> {
  const { rows } = await pool.query<ChangedKey>(text, [keyId])
  return rows[0] ?? null
}
