import type { Pool, PoolClient } from 'pg'
import { monthStartOf } from '#domain/limits/month-start.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { InstitutionSession, NewSession, SessionChoice, SessionQuery } from '#ports/institutions.ts'
import { readNano, readNullableNano } from '../column-values.ts'

interface InsertedSession {
  readonly expiresAtMs: number
  readonly organization: { readonly id: Uuid; readonly name: string }
  readonly maxSessionsPerEmail: number
}

/** Returns null if the key no longer admits this domain. */
export async function insertSession(
  client: PoolClient,
  keyId: Uuid,
  { id, email, personId, domain, tokenHash }: NewSession,
): Promise<InsertedSession | null> {
  // Checks the key again: it may have been disabled, or have lost the domain, since the code was sent.
  const text = `WITH key AS (
      SELECT i.*, o.id AS organization_id, o.name AS organization_name
      FROM institution_keys i
      JOIN api_keys k ON k.id = i.key_id
      JOIN organizations o ON o.id = k.organization_id
      WHERE i.key_id = $1 AND k.enabled AND k.revoked_at IS NULL AND o.suspended_at IS NULL AND $2 = ANY (i.allowed_domains)
    ), begun AS (
      INSERT INTO institution_sessions
        (id, key_id, email, person_id, token_hash, expires_at, request_quota, token_quota, spend_quota_nano)
      SELECT $3, key_id, $4, $6, decode($5, 'hex'), now() + make_interval(secs => session_ttl_s),
        session_request_quota, session_token_quota, session_spend_quota_nano
      FROM key RETURNING expires_at)
    SELECT begun.expires_at, key.organization_id, key.organization_name, key.max_sessions_per_email FROM begun, key`
  const { rows } = await client.query<{
    expires_at: Date
    organization_id: string
    organization_name: string
    max_sessions_per_email: number
  }>(text, [keyId, domain, id, email, tokenHash, personId])
  const [row] = rows
  if (row === undefined) return null
  return {
    expiresAtMs: row.expires_at.getTime(),
    organization: { id: row.organization_id, name: row.organization_name },
    maxSessionsPerEmail: row.max_sessions_per_email,
  }
}

interface Row {
  id: string
  email: string
  created_at: Date
  expires_at: Date
  revoked_at: Date | null
  request_quota: string | null
  token_quota: string | null
  spend_quota_nano: string | null
  person_month_quota_nano: string | null
  person_month_spent_nano: string
  requests_used: string
  tokens_used: string
  total: number
}

/** Beyond the last page the total is unknown and 0. */
export async function listSessions(
  pool: Pool,
  query: SessionQuery,
): Promise<{ sessions: InstitutionSession[]; total: number }> {
  const text = `SELECT s.id, s.email, s.created_at, s.expires_at, s.revoked_at, s.request_quota, s.token_quota,
      s.spend_quota_nano, s.requests_used, s.tokens_used, i.person_month_quota_nano,
      coalesce(p.spent_nano, 0) AS person_month_spent_nano, count(*) OVER ()::integer AS total
    FROM institution_sessions s JOIN institution_keys i ON i.key_id = s.key_id
    LEFT JOIN institution_person_months p ON p.person_id = coalesce(s.person_id, s.id) AND p.month = $6::date
    WHERE s.key_id = $1 AND ($2::text IS NULL OR s.email = $2)
      AND (NOT $3 OR (s.revoked_at IS NULL AND s.expires_at > now()))
    ORDER BY s.created_at DESC, s.id DESC LIMIT $4 OFFSET $5`
  const { keyId, email, activeOnly, limit, offset, nowMs } = query
  const { rows } = await pool.query<Row>(text, [keyId, email, activeOnly, limit, offset, monthStartOf(nowMs)])
  return { sessions: rows.map(readSession), total: rows[0]?.total ?? 0 }
}

function readSession(row: Row): InstitutionSession {
  return {
    id: row.id,
    email: row.email,
    createdAtMs: row.created_at.getTime(),
    expiresAtMs: row.expires_at.getTime(),
    revokedAtMs: row.revoked_at?.getTime() ?? null,
    requestQuota: row.request_quota === null ? null : Number(row.request_quota),
    tokenQuota: row.token_quota === null ? null : Number(row.token_quota),
    spendQuota: readNullableNano(row.spend_quota_nano),
    personMonthQuota: readNullableNano(row.person_month_quota_nano),
    personMonthSpent: readNano(row.person_month_spent_nano),
    requestsUsed: Number(row.requests_used),
    tokensUsed: Number(row.tokens_used),
  }
}

interface RevokedSession {
  readonly id: Uuid
  readonly email: string
  readonly tokenHash: string
}

export async function revokeSessions(client: PoolClient, keyId: Uuid, which: SessionChoice): Promise<RevokedSession[]> {
  const text = `UPDATE institution_sessions SET revoked_at = now()
    WHERE key_id = $1 AND ($2::uuid IS NULL OR id = $2) AND ($3::text IS NULL OR email = $3)
      AND revoked_at IS NULL AND expires_at > now()
    RETURNING id, email, encode(token_hash, 'hex') AS token_hash`
  const sessionId = 'sessionId' in which ? which.sessionId : null
  const email = 'email' in which ? which.email : null
  const { rows } = await client.query<{ id: string; email: string; token_hash: string }>(text, [
    keyId,
    sessionId,
    email,
  ])
  return rows.map(({ id, email, token_hash }) => ({ id, email, tokenHash: token_hash }))
}

/** Ends a person's oldest sessions and keeps as many of the newest as the key allows. */
export async function endOldestSessions(
  client: PoolClient,
  { keyId, email, keep }: { keyId: Uuid; email: string; keep: number },
): Promise<string[]> {
  const text = `UPDATE institution_sessions SET revoked_at = now() WHERE id IN (
      SELECT id FROM institution_sessions
      WHERE key_id = $1 AND email = $2 AND revoked_at IS NULL AND expires_at > now()
      ORDER BY created_at DESC, id DESC OFFSET $3)
    RETURNING encode(token_hash, 'hex') AS token_hash`
  const { rows } = await client.query<{ token_hash: string }>(text, [keyId, email, keep])
  return rows.map((row) => row.token_hash)
}
