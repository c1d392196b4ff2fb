import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'

const text = `UPDATE institution_sessions SET revoked_at = now() WHERE id IN (
    SELECT id FROM institution_sessions
    WHERE key_id = $1 AND email = $2 AND revoked_at IS NULL AND expires_at > now()
    ORDER BY created_at DESC, id DESC OFFSET $3)
  RETURNING encode(token_hash, 'hex') AS token_hash`

/** Leaves a person as many running sessions as the key allows, the newest ones. */
export async function endOldestSessions(
  client: PoolClient,
  { keyId, email, keep }: { keyId: Uuid; email: string; keep: number },
): Promise<string[]> {
  const { rows } = await client.query<{ token_hash: string }>(text, [keyId, email, keep])
  return rows.map((row) => row.token_hash)
}
