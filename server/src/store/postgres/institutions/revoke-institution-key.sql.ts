import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = 'UPDATE api_keys SET revoked_at = now(), updated_at = now() WHERE id = $1'

export async function revokeInstitutionKey(client: PoolClient, keyId: Uuid): Promise<void> {
  await client.query(text, [keyId])
}
