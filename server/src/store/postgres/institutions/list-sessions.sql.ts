import type { Pool } from 'pg'
import type { InstitutionSession, SessionQuery } from '#ports/institution-book.ts'
import { readNullableNano } from '../nano-column.ts'

const text = `SELECT s.id, s.email, s.created_at, s.expires_at, s.revoked_at, s.request_quota, s.token_quota,
    s.spend_quota_nano, s.requests_used, s.tokens_used, count(*) OVER ()::integer AS total
  FROM institution_sessions s
  WHERE s.key_id = $1 AND ($2::text IS NULL OR s.email = $2)
    AND (NOT $3 OR (s.revoked_at IS NULL AND s.expires_at > now()))
  ORDER BY s.created_at DESC, s.id DESC LIMIT $4 OFFSET $5`

interface Row {
  id: string
  email: string
  created_at: Date
  expires_at: Date
  revoked_at: Date | null
  request_quota: string | null
  token_quota: string | null
  spend_quota_nano: string | null
  requests_used: string
  tokens_used: string
  total: number
}

/** Beyond the last page the total is not known any more, and 0. */
export async function listSessions(
  pool: Pool,
  query: SessionQuery,
): Promise<{ sessions: InstitutionSession[]; total: number }> {
  const { rows } = await pool.query<Row>(text, [query.keyId, query.email, query.activeOnly, query.limit, query.offset])
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
    requestsUsed: Number(row.requests_used),
    tokensUsed: Number(row.tokens_used),
  }
}
