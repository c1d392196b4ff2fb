import { formatMinor } from '#domain/payments/currency.ts'
import { unreachable } from '#lib/unreachable.ts'
import type { BillingDocument } from './billing-document.ts'
import { layoutOf } from './document-layout.ts'

/** Why an email about a document is sent. */
export type DocumentMail = 'issued' | 'reminder' | 'suspended'

export type MailedDocument = Pick<BillingDocument, 'number' | 'snapshot' | 'total' | 'currency'>

interface WrittenMail {
  readonly subject: string
  readonly text: string
  /** For the `Message-ID`, so that mailboxes show an email only once if it was sent twice. */
  readonly name: string
}

/** The email about a document. The document is attached when the email is sent. */
export function documentMail(kind: DocumentMail, document: MailedDocument, creditsUrl: string): WrittenMail {
  const { title, facts } = layoutOf(document.snapshot)
  const { subject, text } = wordsOf(kind, {
    name: `${title} ${document.number}`,
    total: formatMinor(document.total, document.currency),
    due: facts.find(({ name }) => name === 'Due')?.value ?? null,
  })
  return {
    subject,
    text: `${text}\n\nView all receipts and invoices: ${creditsUrl}\n`,
    name: `${kind}-${document.number}`,
  }
}

interface Told {
  readonly name: string
  readonly total: string
  /** A day, or null if nothing is due. */
  readonly due: string | null
}

function wordsOf(kind: DocumentMail, { name, total, due }: Told): { subject: string; text: string } {
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
