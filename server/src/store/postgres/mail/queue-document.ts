import type { PoolClient } from 'pg'
import { type DocumentMail, documentMail, type MailedDocument } from '#domain/billing/document-mail.ts'
import { notificationLifeMs } from '#domain/mail/mail-class.ts'
import { isMailAddress } from '#lib/mail-address.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import { creditsPageOf } from './credits-page.sql.ts'
import { insertMail } from './outbox.sql.ts'

interface QueuedDocument {
  readonly kind: DocumentMail
  readonly document: MailedDocument & { readonly id: Uuid }
  readonly walletId: Uuid
  readonly recipient: string | null
  readonly creditsUrl: string
  readonly nowMs: number
}

/**
 * Queues an email in the transaction that it reports, once for each document and kind. A deleted account has no address
 * any more.
 */
export async function queueDocument(client: PoolClient, queued: QueuedDocument): Promise<void> {
  const { kind, document, walletId, recipient, creditsUrl, nowMs } = queued
  if (recipient === null || !isMailAddress(recipient)) return
  const page = await creditsPageOf(client, walletId, creditsUrl)
  const { subject, text: body, name } = documentMail(kind, document, page)
  await insertMail(client, {
    id: newUuid(nowMs),
    class: 'billing',
    name,
    to: { address: recipient },
    subject,
    body,
    documentId: document.id,
    lifeMs: notificationLifeMs,
  })
}
