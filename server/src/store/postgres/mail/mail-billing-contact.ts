import type { PoolClient } from 'pg'
import { notificationLifeMs } from '#domain/mail/mail-class.ts'
import type { Notice } from '#domain/notices/notice.ts'
import { writeMail } from '#domain/notices/write-mail.ts'
import { isMailAddress } from '#lib/mail-address.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import { creditsPageOf } from './credits-page.sql.ts'
import { insertMail } from './outbox.sql.ts'

/**
 * Queues an email to the billing address of an organization, in the transaction that it reports. Returns how many
 * emails were queued: none if there is no address, or if it is that of a member, who has the email already.
 */
export async function mailBillingContact(
  client: PoolClient,
  walletId: Uuid,
  { notice, creditsUrl, nowMs }: { notice: Notice; creditsUrl: string; nowMs: number },
): Promise<0 | 1> {
  const text = `SELECT p.email FROM billing_profiles p
      JOIN wallets w ON w.id = p.wallet_id AND w.owner_kind = 'organization'
    WHERE p.wallet_id = $1 AND NOT EXISTS (SELECT FROM members m JOIN users u ON u.id = m.user_id
      WHERE m.organization_id = w.owner_id AND lower(u.email) = lower(p.email))`
  const { rows } = await client.query<{ email: string | null }>(text, [walletId])
  const address = rows[0]?.email ?? null
  if (address === null || !isMailAddress(address)) return 0
  const { subject, text: body } = writeMail(notice, { creditsUrl: await creditsPageOf(client, walletId, creditsUrl) })
  const id = newUuid(nowMs)
  await insertMail(client, {
    id,
    class: 'notice',
    name: id,
    to: { address },
    subject,
    body,
    lifeMs: notificationLifeMs,
  })
  return 1
}
