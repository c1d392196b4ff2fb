import type { Pool, PoolClient } from 'pg'
import type { Actor, AuditEntry } from '#domain/audit/audit-entry.ts'
import { entriesToAppend } from '#domain/audit/entries-to-append.ts'
import type { ChainedEntry, ChainHead } from '#domain/audit/chained-entry.ts'
import type { JsonValue } from '#lib/json.ts'
import { isUuid, newUuid, type Uuid } from '#lib/uuid.ts'
import type { AuditQuery, AuditRecord, ChainQuery } from '#ports/audit.ts'

/** Appends entries in order. Within a transaction, they commit or roll back with the change they describe. */
export async function appendAudit(
  connection: Pool | PoolClient,
  entries: readonly AuditEntry[],
  nowMs: number,
): Promise<void> {
  const text = 'SELECT append_audit($1::jsonb)'
  if (entries.length === 0) return
  const rows = entries.flatMap(entriesToAppend).map((entry) => ({
    chain_id: entry.chainId,
    id: newUuid(nowMs),
    actor_kind: entry.actor.kind,
    actor_id: entry.actor.id,
    actor_name: entry.actor.name,
    action: entry.action,
    target_kind: entry.target?.kind ?? null,
    target_id: entry.target?.id ?? null,
    before: entry.before ?? null,
    after: entry.after ?? null,
    details: entry.details ?? null,
    request_id: entry.requestId,
  }))
  await connection.query({ name: 'append-audit', text, values: [JSON.stringify(rows)] })
}

interface EntryRow {
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

/** Not a named statement: the filters decide which index serves it, so each query is planned separately. */
export async function listEntries(pool: Pool, query: AuditQuery): Promise<AuditRecord[]> {
  const text = `SELECT id, sequence, to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') AS at, actor_kind, actor_id,
      CASE WHEN actor_kind IN ('user', 'operator') THEN coalesce(actor_name, (SELECT u.email FROM users u WHERE u.id = actor_id::uuid))
        ELSE actor_name END AS actor_name, action, target_kind, target_id, before, after, details, request_id, encode(hash, 'hex') AS hash
    FROM audit_entries
    WHERE chain_id = $1 AND ($2::bigint IS NULL OR sequence < $2)
      AND ($3::text IS NULL OR action = $3) AND ($4::text IS NULL OR (action >= $4 AND action < $5))
      AND ($6::text IS NULL OR actor_id = $6)
      AND ($7::timestamptz IS NULL OR at >= $7) AND ($8::timestamptz IS NULL OR at < $8)
      AND ($10::text IS NULL OR actor_id = $10 OR lower(actor_name) = lower($10)
        OR actor_id = (SELECT u.id::text FROM users u WHERE lower(u.email) = lower($10)))
      AND ($11::text IS NULL OR target_id = $11 OR details->'models' ? $11
        OR target_id IN (SELECT id::text FROM provider_accounts WHERE name = $11)
        OR (SELECT array_agg(owner.id::text) || array_agg(w.id::text)
          FROM (SELECT id FROM users WHERE lower(email) = lower($11) OR id = $12::uuid
            UNION ALL SELECT id FROM organizations WHERE slug = $11 OR id = $12::uuid) AS owner
            LEFT JOIN wallets w ON w.owner_id = owner.id) && ARRAY[target_id, details->>'organizationId'])
    ORDER BY sequence DESC LIMIT $9`
  const isPrefix = query.action?.endsWith('.') ?? false
  const { rows } = await pool.query<EntryRow>(text, [
    query.chainId,
    query.before,
    isPrefix ? null : query.action,
    isPrefix ? query.action : null,
    // The character after the dot: actions are compared byte by byte.
    isPrefix ? query.action?.replace(/\.$/, '/') : null,
    query.actorId,
    query.fromMs === null ? null : new Date(query.fromMs),
    query.toMs === null ? null : new Date(query.toMs),
    query.limit,
    query.actor,
    query.target,
    query.target !== null && isUuid(query.target) ? query.target : null,
  ])
  return rows.map(readRecord)
}

function readRecord(row: EntryRow): AuditRecord {
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

/**
 * Finds a chain by the id or slug of an organization. An id is not checked, because a chain outlives its organization.
 */
export async function findChain(pool: Pool, reference: string): Promise<Uuid | null> {
  const text = 'SELECT id FROM organizations WHERE slug = $1'
  if (isUuid(reference)) return reference
  const { rows } = await pool.query<{ id: string }>(text, [reference])
  return rows[0]?.id ?? null
}

export async function listChains(client: PoolClient): Promise<Uuid[]> {
  // Steps from chain to chain along the primary key: one lookup per chain, not per entry.
  const text = `WITH RECURSIVE chains AS (
      SELECT (SELECT chain_id FROM audit_entries ORDER BY chain_id LIMIT 1) AS chain_id
      UNION ALL
      SELECT (SELECT e.chain_id FROM audit_entries e WHERE e.chain_id > c.chain_id ORDER BY e.chain_id LIMIT 1)
      FROM chains c WHERE c.chain_id IS NOT NULL
    )
    SELECT chain_id FROM chains WHERE chain_id IS NOT NULL UNION SELECT chain_id FROM audit_heads ORDER BY chain_id`
  const { rows } = await client.query<{ chain_id: string }>(text)
  return rows.map((row) => row.chain_id)
}

type ChainRow = Omit<ChainedEntry, 'sequence'> & { sequence: string }

export async function readChain(client: PoolClient, { chainId, after, limit }: ChainQuery): Promise<ChainedEntry[]> {
  const text = `SELECT chain_id AS "chainId", sequence, id, extract(epoch FROM at)::text AS "epochS", actor_kind AS "actorKind",
      actor_id AS "actorId", actor_name AS "actorName", action, target_kind AS "targetKind", target_id AS "targetId",
      before::text, after::text, details::text, request_id AS "requestId", encode(previous_hash, 'hex') AS "previousHash",
      encode(hash, 'hex') AS hash
    FROM audit_entries WHERE chain_id = $1 AND ($2::bigint IS NULL OR sequence > $2) ORDER BY sequence LIMIT $3`
  const { rows } = await client.query<ChainRow>({ name: 'read-chain', text, values: [chainId, after, limit] })
  return rows.map((row) => ({ ...row, sequence: BigInt(row.sequence) }))
}

export async function readHead(client: PoolClient, chainId: Uuid): Promise<ChainHead | null> {
  const text = `SELECT sequence, encode(hash, 'hex') AS hash FROM audit_heads WHERE chain_id = $1`
  const { rows } = await client.query<{ sequence: string; hash: string }>(text, [chainId])
  const [row] = rows
  return row === undefined ? null : { sequence: BigInt(row.sequence), hash: row.hash }
}
