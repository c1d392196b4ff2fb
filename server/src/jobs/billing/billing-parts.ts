import { billingMail } from '#control/billing/billing-mail.ts'
import { errorText } from '#lib/error-text.ts'
import type { Log } from '#lib/log.ts'
import type { BillingMails } from '#ports/billing.ts'
import type { Mailer } from '#ports/mailer.ts'
import type { Part } from '../part.ts'
import { runClaims } from '../run-claims.ts'

export interface BillingJobDeps {
  readonly mails: BillingMails
  readonly mailer: Mailer
  /** The console's page for credit. */
  readonly creditsUrl: string
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly lookEveryMs: number
}

const atOnce = 4
// Ten times what a mail server may take. The wait doubles with each try.
const leaseMs = 600_000

/** Mails documents. Without a mail server there is nothing to do, and their mails wait for one. */
export function billingParts({ mails, mailer, creditsUrl, log, lookEveryMs }: BillingJobDeps): readonly Part[] {
  if (!mailer.delivers) return []
  const mailing = runClaims({
    atOnce,
    claim: (atMost) => mails.claimDue({ atMost, leaseMs }),
    work: async (mail) => {
      await mailer.send(billingMail(mail, creditsUrl))
      await mails.markSent(mail)
    },
    onError: (error) => log.warn({ why: errorText(error) }, 'a receipt or an invoice could not be mailed'),
  })
  return [{ name: 'billing-mails', everyMs: lookEveryMs, ...mailing }]
}
