import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { ChangedKey } from '#ports/key-book.ts'

const text = `UPDATE api_keys SET enabled = $2, updated_at = now() WHERE id = $1 AND revoked_at IS NULL
  RETURNING encode(secret_hash, 'hex') AS "secretHash"`

export async function setKeyEnabled(pool: Pool, keyId: Uuid, enabled: boolean): Promise<ChangedKey | null> {
  const { rows } = await pool.query<ChangedKey>(text, [keyId, enabled])
  return rows[0] ?? null
}
