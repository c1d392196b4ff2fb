import type { Pool, PoolClient } from 'pg'
import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CustomerNote, NewNote } from '#ports/customers.ts'
import { appendAudit } from '../audit/audit.sql.ts'
import { inTransaction } from '../with-client.ts'
import { noteOf, type NoteRow } from './customer-rows.ts'

/** The note and its audit entry: both or neither. */
export function addNote(pool: Pool, { id, ownerId, text, author }: NewNote, entry: AuditEntry): Promise<CustomerNote> {
  const statement = `WITH made AS (
      INSERT INTO customer_notes (id, owner_id, text, author_kind, author_id, author_name) VALUES ($1, $2, $3, $4, $5, $6)
      RETURNING *
    )
    SELECT made.id, made.text, made.created_at, coalesce(made.author_name, u.email) AS author
    FROM made LEFT JOIN users u ON u.id = made.author_id`
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const values = [id, ownerId, text, author.kind, author.id, author.name]
    const { rows } = await client.query<NoteRow>(statement, values)
    const [row] = rows
    if (row === undefined) throw new Error('an inserted note is returned')
    await appendAudit(client, [entry], Date.now())
    return noteOf(row)
  })
}

export function removeNote(pool: Pool, note: { id: Uuid; ownerId: Uuid }, entry: AuditEntry): Promise<boolean> {
  return inTransaction(pool, 'READ COMMITTED', async (client) => {
    const text = 'DELETE FROM customer_notes WHERE id = $1 AND owner_id = $2'
    const { rowCount } = await client.query(text, [note.id, note.ownerId])
    if (rowCount === 1) await appendAudit(client, [entry], Date.now())
    return rowCount === 1
  })
}

/** Notes about a person are deleted with the person. */
export async function eraseNotes(client: PoolClient, ownerId: Uuid): Promise<void> {
  await client.query('DELETE FROM customer_notes WHERE owner_id = $1', [ownerId])
}
