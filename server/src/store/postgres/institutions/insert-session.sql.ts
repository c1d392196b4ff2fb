import type { PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { NewSession } from '#ports/institution-door.ts'

// The key is looked at once more: it may have been switched off, or have lost the domain, since the code was sent.
const text = `WITH key AS (
    SELECT i.*, o.id AS organization_id, o.name AS organization_name
    FROM institution_keys i
    JOIN api_keys k ON k.id = i.key_id
    JOIN organizations o ON o.id = k.organization_id
    WHERE i.key_id = $1 AND k.enabled AND k.revoked_at IS NULL AND o.suspended_at IS NULL AND $2 = ANY (i.allowed_domains)
  ), begun AS (
    INSERT INTO institution_sessions (id, key_id, email, token_hash, expires_at, request_quota, token_quota, spend_quota_nano)
    SELECT $3, key_id, $4, decode($5, 'hex'), now() + make_interval(secs => session_ttl_s),
      session_request_quota, session_token_quota, session_spend_quota_nano
    FROM key RETURNING expires_at)
  SELECT begun.expires_at, key.organization_id, key.organization_name, key.max_sessions_per_email FROM begun, key`

export interface InsertedSession {
  readonly expiresAtMs: number
  readonly organization: { readonly id: Uuid; readonly name: string }
  readonly maxSessionsPerEmail: number
}

/** Null: the key lets nobody of this domain in any more. */
export async function insertSession(
  client: PoolClient,
  keyId: Uuid,
  { id, email, domain, tokenHash }: NewSession,
): Promise<InsertedSession | null> {
  const { rows } = await client.query<{
    expires_at: Date
    organization_id: string
    organization_name: string
    max_sessions_per_email: number
  }>(text, [keyId, domain, id, email, tokenHash])
  const [row] = rows
  if (row === undefined) return null
  return {
    expiresAtMs: row.expires_at.getTime(),
    organization: { id: row.organization_id, name: row.organization_name },
    maxSessionsPerEmail: row.max_sessions_per_email,
  }
}
