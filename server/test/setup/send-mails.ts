import type { Pool } from 'pg'
import { createDeliverMail, type MailOutcome } from '#control/mail/deliver-mail.ts'
import { mailPart } from '#jobs/mail/send-mails.ts'
import { type SealingKey, sealingKeyFrom } from '#lib/seal.ts'
import { chooseMailer } from '#net/choose-mailer.ts'
import { createMailOutbox } from '#store/postgres/mail/mail-outbox.ts'
import { takeOverMails } from '#store/postgres/billing/superseded-mail-queues.ts'

/** The key that encrypts emails in tests without a gateway. */
export const mailKey = sealingKeyFrom('a secret of thirty-two characters')

/** Sends all emails that are due, like a worker. Returns the outcome of each. Without a URL there is no mail server. */
export async function sendMails(
  pool: Pool,
  { url, sealingKey = mailKey }: { readonly url: string | null; readonly sealingKey?: SealingKey },
): Promise<string[]> {
  const outcomes: string[] = []
  const note = (outcome: MailOutcome, about: { class: string }): void => void outcomes.push(`${about.class} ${outcome}`)
  const outbox = createMailOutbox(pool, sealingKey)
  const mailer = chooseMailer({ url, from: 'Weir <weir@weir.test>' })
  const faults: unknown[] = []
  const part = mailPart({
    outbox,
    deliver: createDeliverMail({ outbox, mailer, onOutcome: note, nowMs: Date.now }),
    takeOver: () => takeOverMails(pool, { creditsUrl: 'https://weir.test/console/credits', nowMs: Date.now() }),
    lookEveryMs: 1,
    onError: (error) => faults.push(error),
  })
  for (let sent = -1; outcomes.length > sent; ) {
    sent = outcomes.length
    await part.run(new AbortController().signal)
    await part.end?.()
  }
  if (faults.length > 0) throw faults[0]
  return outcomes.toSorted()
}
