import type { PoolClient } from 'pg'
import type { Role } from '#domain/access/roles.ts'
import { notificationLifeMs } from '#domain/mail/mail-class.ts'
import type { Notice } from '#domain/notices/notice.ts'
import { writeMail } from '#domain/notices/write-mail.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import { creditsPageOf } from './credits-page.sql.ts'
import { insertMail } from './outbox.sql.ts'

interface QueuedNotice {
  readonly notice: Notice
  /** The console's page for credit, which the email links to. */
  readonly creditsUrl: string
  readonly nowMs: number
  readonly roles?: readonly Role[]
}

/**
 * Queues an email in the transaction that it reports, to the owner of a personal wallet or to the members of an
 * organization with these roles. Suspended people get none. Returns how many emails were queued.
 */
export async function queueNotice(
  client: PoolClient,
  walletId: Uuid,
  { notice, creditsUrl, nowMs, roles = ['org_admin'] }: QueuedNotice,
): Promise<number> {
  const text = `SELECT u.id AS user_id FROM wallets w
      LEFT JOIN members m ON w.owner_kind = 'organization' AND m.organization_id = w.owner_id AND m.role = ANY ($2)
        AND m.suspended_at IS NULL
      JOIN users u ON u.id = CASE w.owner_kind WHEN 'user' THEN w.owner_id ELSE m.user_id END
    WHERE w.id = $1 AND u.suspended_at IS NULL ORDER BY u.id`
  const { rows } = await client.query<{ user_id: string }>(text, [walletId, roles])
  const { subject, text: body } = writeMail(notice, {
    creditsUrl: await creditsPageOf(client, walletId, creditsUrl),
  })
  for (const { user_id: userId } of rows) {
    const id = newUuid(nowMs)
    await insertMail(client, {
      id,
      class: 'notice',
      name: id,
      to: { userId },
      subject,
      body,
      lifeMs: notificationLifeMs,
    })
  }
  return rows.length
}
