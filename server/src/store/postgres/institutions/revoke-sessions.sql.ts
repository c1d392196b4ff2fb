import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { SessionChoice } from '#ports/institution-book.ts'

const text = `UPDATE institution_sessions SET revoked_at = now()
  WHERE key_id = $1 AND ($2::uuid IS NULL OR id = $2) AND ($3::text IS NULL OR email = $3)
    AND revoked_at IS NULL AND expires_at > now()
  RETURNING id, email, encode(token_hash, 'hex') AS token_hash`

export interface RevokedSession {
  readonly id: Uuid
  readonly email: string
  readonly tokenHash: string
}

export async function revokeSessions(client: PoolClient, keyId: Uuid, which: SessionChoice): Promise<RevokedSession[]> {
  const sessionId = 'sessionId' in which ? which.sessionId : null
  const email = 'email' in which ? which.email : null
  const { rows } = await client.query<{ id: string; email: string; token_hash: string }>(text, [
    keyId,
    sessionId,
    email,
  ])
  return rows.map(({ id, email, token_hash }) => ({ id, email, tokenHash: token_hash }))
}
