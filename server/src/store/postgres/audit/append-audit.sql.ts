import type { Pool, PoolClient } from 'pg'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { newUuid } from '#lib/uuid.ts'

const text = 'SELECT append_audit($1::jsonb)'

/** Appends entries in order; within a transaction, they stand or fall with the change they tell of. */
export async function appendAudit(
  connection: Pool | PoolClient,
  entries: readonly AuditEntry[],
  nowMs: number,
): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map((entry) => ({
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
