import type { Pool } from 'pg'
import type { Actor } from '#domain/audit/audit-entry.ts'
import type { JsonValue } from '#lib/json.ts'
import type { AuditQuery, AuditRecord } from '#ports/audit.ts'

const text = `SELECT id, sequence, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, actor_kind, actor_id,
    actor_name, action, target_kind, target_id, before, after, details, request_id, encode(hash, 'hex') AS hash
  FROM audit_entries
  WHERE chain_id = $1 AND ($2::bigint IS NULL OR sequence < $2)
    AND ($3::text IS NULL OR action = $3) AND ($4::text IS NULL OR (action >= $4 AND action < $5))
    AND ($6::text IS NULL OR actor_id = $6)
    AND ($7::timestamptz IS NULL OR at >= $7) AND ($8::timestamptz IS NULL OR at < $8)
  ORDER BY sequence DESC LIMIT $9`

interface Row {
  id: string
  sequence: string
  at: string
  actor_kind: Actor['kind']
  actor_id: string | null
  actor_name: string | null
  action: string
  target_kind: string | null
  target_id: string | null
  before: JsonValue
  after: JsonValue
  details: JsonValue
  request_id: string | null
  hash: string
}

/** Not a named statement: what is asked for decides which index serves it, so each is planned by itself. */
export async function listEntries(pool: Pool, query: AuditQuery): Promise<AuditRecord[]> {
  const isPrefix = query.action?.endsWith('.') ?? false
  const { rows } = await pool.query<Row>(text, [
    query.chainId,
    query.before,
    isPrefix ? null : query.action,
    isPrefix ? query.action : null,
    // The character after the dot: actions are compared by their bytes.
    isPrefix ? query.action?.replace(/\.$/, '/') : null,
    query.actorId,
    query.fromMs === null ? null : new Date(query.fromMs),
    query.toMs === null ? null : new Date(query.toMs),
    query.limit,
  ])
  return rows.map(readRecord)
}

function readRecord(row: Row): AuditRecord {
  const { id, at, action, before, after, details, hash } = row
  const { target_kind: kind, target_id: targetId } = row
  return {
    id,
    sequence: BigInt(row.sequence),
    at,
    actor: { kind: row.actor_kind, id: row.actor_id, name: row.actor_name },
    action,
    target: kind === null || targetId === null ? null : { kind, id: targetId },
    before,
    after,
    details,
    requestId: row.request_id,
    hash,
  }
}
