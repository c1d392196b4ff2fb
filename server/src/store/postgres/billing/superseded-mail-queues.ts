import type { Pool, PoolClient } from 'pg'
import { type DocumentMail, documentMail } from '#domain/billing/document-mail.ts'
import { notificationLifeMs } from '#domain/mail/mail-class.ts'
import type { Notice } from '#domain/notices/notice.ts'
import { writeMail } from '#domain/notices/write-mail.ts'
import { newUuid } from '#lib/uuid.ts'
import { documentColumns, documentOf, type DocumentRow } from './documents.sql.ts'
import { inTransaction } from '../with-client.ts'
import { insertMail } from '../mail/outbox.sql.ts'

interface TakeOverOptions {
  readonly creditsUrl: string
  readonly nowMs: number
}

const batchMax = 100

/**
 * Moves emails to the outbox that the previous release queued in `mail_deliveries` and `billing_mails`. Processes of
 * that release may run at the same time and add more. An email that one of its workers is sending is not due, and stays
 * there until that worker has recorded the outcome. The next release drops the tables and this file.
 */
export async function takeOverMails(pool: Pool, options: TakeOverOptions): Promise<void> {
  await inTransaction(pool, 'READ COMMITTED', async (client) => {
    await takeOverNotices(client, options)
    await takeOverDocuments(client, options)
  })
}

interface NoticeRow {
  id: string
  user_id: string
  notice: Notice
  age_ms: number
}

async function takeOverNotices(client: PoolClient, { creditsUrl }: TakeOverOptions): Promise<void> {
  const text = `WITH due AS (
      SELECT id FROM mail_deliveries WHERE due_at <= clock_timestamp() ORDER BY due_at LIMIT $1 FOR UPDATE SKIP LOCKED
    )
    DELETE FROM mail_deliveries d USING due WHERE d.id = due.id
    RETURNING d.id, d.user_id, d.notice, extract(epoch FROM clock_timestamp() - d.created_at)::float8 * 1000 AS age_ms`
  const { rows } = await client.query<NoticeRow>(text, [batchMax])
  for (const { id, user_id: userId, notice, age_ms } of rows) {
    const { subject, text: body } = writeMail(notice, { creditsUrl })
    const lifeMs = notificationLifeMs - age_ms
    await insertMail(client, { id, class: 'notice', name: id, to: { userId }, subject, body, lifeMs })
  }
}

interface DocumentMailRow extends DocumentRow {
  mail_kind: DocumentMail
  recipient: string
  late_ms: number
}

/** The time when a row was added is unknown, so the time since it was due counts as its age. */
async function takeOverDocuments(client: PoolClient, { creditsUrl, nowMs }: TakeOverOptions): Promise<void> {
  const text = `WITH due AS (
      SELECT document_id, kind, next_try_at FROM billing_mails WHERE next_try_at <= clock_timestamp()
      ORDER BY next_try_at LIMIT $1 FOR UPDATE SKIP LOCKED
    ), taken AS (
      UPDATE billing_mails m SET next_try_at = NULL FROM due WHERE m.document_id = due.document_id AND m.kind = due.kind
      RETURNING m.document_id, m.kind, m.recipient, due.next_try_at
    )
    SELECT t.kind AS mail_kind, t.recipient,
      extract(epoch FROM clock_timestamp() - t.next_try_at)::float8 * 1000 AS late_ms, ${documentColumns}
    FROM taken t JOIN billing_documents d ON d.id = t.document_id LEFT JOIN invoice_states i ON i.document_id = d.id`
  const { rows } = await client.query<DocumentMailRow>(text, [batchMax])
  for (const { mail_kind, recipient, late_ms, ...row } of rows) {
    const document = documentOf(row)
    const { subject, text: body, name } = documentMail(mail_kind, document, creditsUrl)
    await insertMail(client, {
      id: newUuid(nowMs),
      class: 'billing',
      name,
      to: { address: recipient },
      subject,
      body,
      documentId: document.id,
      lifeMs: notificationLifeMs - late_ms,
    })
  }
}

const keptDays = 30

/** Deletes emails that the previous release has sent or given up long ago. */
export async function purgeSupersededMails(pool: Pool, atMost: number): Promise<number> {
  const text = `DELETE FROM mail_deliveries WHERE id IN (SELECT id FROM mail_deliveries
    WHERE due_at IS NULL AND created_at < now() - $2::integer * interval '1 day' LIMIT $1)`
  return (await pool.query(text, [atMost, keptDays])).rowCount ?? 0
}
