import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

// The row stays, because the records of its requests refer to it.
const text = 'UPDATE api_keys SET enabled = false, revoked_at = now(), updated_at = now() WHERE id = $1'

export async function markKeyRevoked(client: PoolClient, keyId: Uuid): Promise<void> {
  await client.query(text, [keyId])
}
