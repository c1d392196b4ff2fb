import type { Pool, PoolClient } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import type { BillingMail } from '#ports/billing.ts'
import { documentColumns, documentOf, type DocumentRow } from './documents.sql.ts'

/** A mail is written once for each document and kind. */
export async function insertMail(
  client: PoolClient,
  { documentId, kind, recipient }: { documentId: Uuid; kind: BillingMail['kind']; recipient: string },
): Promise<void> {
  const text = 'INSERT INTO billing_mails (document_id, kind, recipient) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING'
  await client.query(text, [documentId, kind, recipient])
}

// After the last try a day has passed; the document is in the account all the same.
const triesMax = 8

/**
 * Mails that are due, but for old ones that had waited for a mail server. Each try doubles the wait for the next, so
 * that a mail server that is away is not pressed.
 */
export async function claimMails(
  pool: Pool,
  { atMost, leaseMs }: { atMost: number; leaseMs: number },
): Promise<BillingMail[]> {
  const text = `WITH claimed AS (
      UPDATE billing_mails SET tries = tries + 1,
        next_try_at = CASE WHEN tries + 1 < ${triesMax} THEN clock_timestamp() + $2::bigint * 2 ^ tries * interval '1 millisecond' END
      WHERE (document_id, kind) IN (SELECT m.document_id, m.kind FROM billing_mails m
        WHERE m.next_try_at BETWEEN clock_timestamp() - interval '7 days' AND clock_timestamp() ORDER BY m.next_try_at LIMIT $1 FOR UPDATE SKIP LOCKED)
      RETURNING document_id, kind, recipient
    )
    SELECT c.kind AS mail_kind, c.recipient, ${documentColumns} FROM claimed c JOIN billing_documents d ON d.id = c.document_id
    LEFT JOIN invoice_states i ON i.document_id = d.id`
  const { rows } = await pool.query<DocumentRow & { mail_kind: BillingMail['kind']; recipient: string }>(text, [
    atMost,
    leaseMs,
  ])
  return rows.map((row) => ({ kind: row.mail_kind, recipient: row.recipient, document: documentOf(row) }))
}

export async function markSent(pool: Pool, { document, kind }: BillingMail): Promise<void> {
  const text = `UPDATE billing_mails SET sent_at = now(), next_try_at = NULL WHERE document_id = $1 AND kind = $2`
  await pool.query(text, [document.id, kind])
}
