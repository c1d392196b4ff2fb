import { layoutOf } from '#domain/billing/document-layout.ts'
import { documentPdf } from '#domain/billing/document-pdf.ts'
import { formatMinor } from '#domain/payments/currency.ts'
import { unreachable } from '#lib/unreachable.ts'
import type { BillingMail } from '#ports/billing.ts'
import type { Mail } from '#ports/mailer.ts'

/** The email about a document, with the document attached. A resend has the same `name`, which identifies the email. */
export function billingMail({ kind, recipient, document }: BillingMail, creditsUrl: string): Mail {
  const layout = layoutOf(document.snapshot)
  const { subject, text } = wordsOf(kind, {
    name: `${layout.title} ${document.number}`,
    total: formatMinor(document.total, document.currency),
    due: layout.facts.find(({ name }) => name === 'Due')?.value ?? null,
  })
  return {
    to: recipient,
    subject,
    text: `${text}\n\nView all receipts and invoices: ${creditsUrl}\n`,
    attachment: { fileName: `${document.number}.pdf`, contentType: 'application/pdf', bytes: documentPdf(layout) },
    name: `${kind}-${document.number}`,
  }
}

interface Told {
  readonly name: string
  readonly total: string
  /** A day, or null if nothing is due. */
  readonly due: string | null
}

function wordsOf(kind: BillingMail['kind'], { name, total, due }: Told): { subject: string; text: string } {
  const until = due === null ? '' : ` Due date: ${due}.`
  switch (kind) {
    case 'issued':
      return { subject: name, text: `${name} for ${total} is attached.${until}` }
    case 'reminder':
      return {
        subject: `Overdue: ${name}`,
        text: `${name} for ${total} has not been paid.${until} Pay it to keep your credit line open.`,
      }
    case 'suspended':
      return {
        subject: `Spending suspended: ${name}`,
        text: `${name} for ${total} has not been paid.${until} Billable requests are rejected until you pay it.`,
      }
    default:
      return unreachable(kind)
  }
}
