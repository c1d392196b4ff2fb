import type { Log } from '#lib/log.ts'
import type { Invoices, InvoiceTerms } from '#ports/billing.ts'
import type { Part } from '../part.ts'

export interface BillingJobDeps {
  readonly invoices: Invoices
  readonly terms: InvoiceTerms
  readonly log: Pick<Log, 'info' | 'warn'>
  readonly nowMs: () => number
}

const minuteMs = 60_000

/** Bills months that are over, and follows invoices that are overdue. */
export function invoicePart(deps: BillingJobDeps): Part {
  return { name: 'invoices', everyMs: minuteMs, run: () => billMonths(deps) }
}

/** Continues at once while there are months to bill: a missed month comes before the next. */
async function billMonths({ invoices, terms, log, nowMs }: BillingJobDeps): Promise<boolean> {
  const { issued, isFull } = await invoices.issueDue(terms, nowMs())
  if (issued.length > 0) log.info({ issued }, 'issued invoices')
  const reminded = await invoices.remindDue(terms, nowMs())
  if (reminded.length > 0) log.info({ reminded }, 'invoices are overdue')
  const suspended = await invoices.suspendOverdue(terms, nowMs())
  if (suspended.length > 0) log.warn({ suspended }, 'suspended spending of organizations with overdue invoices')
  return isFull
}
