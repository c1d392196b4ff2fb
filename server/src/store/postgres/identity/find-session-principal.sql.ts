import type { Pool } from 'pg'
import type { Principal } from '#domain/access/principal.ts'
import { readNullableNano } from '../nano-column.ts'
import { principalColumns, principalIsWhole, principalTables } from './find-principal.sql.ts'
import { type PrincipalRow, readPrincipal } from './read-principal.ts'

const text = `SELECT encode(s.token_hash, 'hex') AS token_hash, s.id AS session_id, s.spend_quota_nano,
    s.request_quota IS NOT NULL OR s.token_quota IS NOT NULL AS has_counted_quota,
    least(s.expires_at, k.expires_at) AS session_expires_at, ${principalColumns}
  FROM ${principalTables}
  JOIN institution_sessions s ON s.key_id = k.id
  WHERE s.token_hash = ANY ($1::bytea[]) AND s.revoked_at IS NULL AND k.type = 'institution' AND ${principalIsWhole}`

interface SessionPrincipalRow extends PrincipalRow {
  token_hash: string
  session_id: string
  spend_quota_nano: string | null
  has_counted_quota: boolean
  session_expires_at: Date
}

/** The principals behind a batch of token hashes of institutions' sessions, by hash; those that were ended are absent. */
export async function findSessionPrincipals(
  pool: Pool,
  tokenHashes: readonly string[],
): Promise<Map<string, Principal>> {
  const hashes = tokenHashes.map((hash) => Buffer.from(hash, 'hex'))
  const { rows } = await pool.query<SessionPrincipalRow>({ name: 'find-session-principals', text, values: [hashes] })
  return new Map(rows.map((row) => [row.token_hash, readSessionPrincipal(row)]))
}

/** A session is its key in all respects but how long it lasts and what it may use. */
function readSessionPrincipal(row: SessionPrincipalRow): Principal {
  return {
    ...readPrincipal(row),
    expiresAtMs: row.session_expires_at.getTime(),
    institutionSession: {
      id: row.session_id,
      spendQuota: readNullableNano(row.spend_quota_nano),
      hasCountedQuota: row.has_counted_quota,
    },
  }
}
