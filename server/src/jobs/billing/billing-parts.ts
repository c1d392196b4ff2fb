import { billingMail } from '#control/billing/billing-mail.ts'
import { errorText } from '#lib/error-text.ts'
import type { Log } from '#lib/log.ts'
import type { BillingMails, Invoices, InvoiceTerms } from '#ports/billing.ts'
import type { Mailer } from '#ports/mailer.ts'
import type { Part } from '../part.ts'
import { runClaims } from '../run-claims.ts'

export interface BillingJobDeps {
  readonly mails: BillingMails
  readonly mailer: Mailer
  readonly invoices: Invoices
  readonly terms: InvoiceTerms
  /** The console's credits page. */
  readonly creditsUrl: string
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly lookEveryMs: number
  readonly nowMs: () => number
}

const minuteMs = 60_000
const atOnce = 4
// Ten times the timeout of a mail server. The wait doubles with each attempt.
const leaseMs = 600_000

/** Bills past months, follows up on overdue invoices, and emails documents. */
export function billingParts(deps: BillingJobDeps): readonly Part[] {
  return [{ name: 'invoices', everyMs: minuteMs, run: () => billMonths(deps) }, ...mailParts(deps)]
}

/** Without a mail server there is nothing to do, and emails wait for one. */
function mailParts({ mails, mailer, creditsUrl, log, lookEveryMs }: BillingJobDeps): Part[] {
  if (!mailer.delivers) return []
  const mailing = runClaims({
    atOnce,
    claim: (atMost) => mails.claimDue({ atMost, leaseMs }),
    work: async (mail) => {
      await mailer.send(billingMail(mail, creditsUrl))
      await mails.markSent(mail)
    },
    onError: (error) => log.warn({ why: errorText(error) }, 'failed to email a receipt or invoice'),
  })
  return [{ name: 'billing-mails', everyMs: lookEveryMs, ...mailing }]
}

/** Continues at once while there are months to bill: a missed month comes before the next. */
async function billMonths({ invoices, terms, log, nowMs }: BillingJobDeps): Promise<boolean> {
  const { issued, isFull } = await invoices.issueDue(terms, nowMs())
  if (issued.length > 0) log.info({ issued }, 'issued invoices')
  const reminded = await invoices.remindDue(nowMs())
  if (reminded.length > 0) log.info({ reminded }, 'invoices are overdue')
  const suspended = await invoices.suspendOverdue(nowMs())
  if (suspended.length > 0) log.warn({ suspended }, 'suspended spending of organizations with overdue invoices')
  return isFull
}
