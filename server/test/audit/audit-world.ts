import type { Pool } from 'pg'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import { newUuid } from '#lib/uuid.ts'
import { appendAudit } from '#store/postgres/audit/audit.sql.ts'

/** Appends an entry to a chain, as a change of an organization's settings would. */
export async function append(pool: Pool, chainId: string, special: Partial<AuditEntry> = {}): Promise<void> {
  const entry: AuditEntry = {
    chainId,
    actor: { kind: 'user', id: newUuid(Date.now()), name: 'ada@weir.test' },
    requestId: 'req_1',
    action: 'org.update',
    target: { kind: 'organization', id: chainId },
    before: { name: 'Old' },
    after: { name: 'New' },
    ...special,
  }
  await appendAudit(pool, [entry], Date.now())
}

/** Changes the log directly, as a database superuser could. */
export async function tamper(pool: Pool, ...statements: [text: string, values: unknown[]][]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('ALTER TABLE audit_entries DISABLE TRIGGER audit_entries_append_only')
    for (const [text, values] of statements) await client.query(text, values)
    await client.query('ALTER TABLE audit_entries ENABLE TRIGGER audit_entries_append_only')
    await client.query('COMMIT')
  } finally {
    client.release()
  }
}
