import { unreachable } from '#lib/unreachable.ts'
import type { Notice } from './notice.ts'
import { writeCatalogueMail } from './write-catalogue-mail.ts'

const alertSubjects = { balance: 'Your balance is low', budget: 'A budget is almost used up' } as const

/** Writes the email for a notice. */
export function writeMail(
  notice: Notice,
  { creditsUrl }: { readonly creditsUrl: string },
): { readonly subject: string; readonly text: string } {
  switch (notice.kind) {
    case 'auto_top_up_off':
      return {
        subject: 'Auto top-up is off: your card was declined',
        text: `Your card was declined four times in a row, most recently for $${notice.credit} of credit. We won't charge it again.

Requests keep working while you have credit. To continue, buy credit, or choose another card and turn auto top-up back on:

${creditsUrl}
`,
      }
    case 'auto_top_up_confirm':
      return {
        subject: 'Your bank needs you to confirm a payment',
        text: `Your balance is low. We tried to buy $${notice.credit} of credit with your saved card, but your bank requires you to confirm the payment. Nothing was charged.

Buy the credit yourself to confirm the payment:

${creditsUrl}

We'll try again later. If your bank asks every time, choose another card.
`,
      }
    case 'alert':
      return {
        subject: alertSubjects[notice.about],
        text: `${notice.words}${
          notice.organization === null
            ? ''
            : `

Organization: ${notice.organization}`
        }

Buy credit or change your alerts:

${creditsUrl}
`,
      }
    case 'certificate_ends':
      return {
        subject: `SAML certificate expires in ${notice.days === 1 ? '1 day' : `${notice.days} days`}`,
        text: `The signing certificate of the identity provider ${notice.connection} expires at ${new Date(notice.endsAtMs).toISOString()}. After that, members can't sign in with it.

Organization: ${notice.organization}

Ask your provider for its new certificate, and add it beside the old one:

${notice.page}
`,
      }
    case 'catalogue':
      // The overview, which shows the notices, is the page above.
      return writeCatalogueMail(notice, { page: new URL('.', creditsUrl).href.replace(/\/$/, '') })
    default:
      return unreachable(notice)
  }
}
