import type { Notice } from '#domain/notices/notice.ts'
import { unreachable } from '#lib/unreachable.ts'
import type { Mail } from '#ports/mailer.ts'

const alertSubjects = { balance: 'Your credit is low', budget: 'A budget is running out' } as const

/** The mail that tells a notice. */
export function writeMail(notice: Notice, { creditsUrl }: { readonly creditsUrl: string }): Omit<Mail, 'to'> {
  switch (notice.kind) {
    case 'auto_top_up_off':
      return {
        subject: 'Automatic top-up is switched off',
        text: `Your card was refused four times in a row, the last time for $${notice.credit} of credit. We will not charge it again.

Requests are served while the wallet has credit. Buy credit, or choose another card and switch automatic top-up on again:

${creditsUrl}
`,
      }
    case 'auto_top_up_confirm':
      return {
        subject: 'Your bank asks you to confirm a payment',
        text: `Your wallet is low. We tried to buy $${notice.credit} of credit with your saved card, and your bank wants you to confirm the payment. Nothing was charged.

Buy the credit yourself, so that you can confirm it:

${creditsUrl}

We try again later. If your bank asks every time, choose another card.
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

Buy credit, and choose what you are told:

${creditsUrl}
`,
      }
    default:
      return unreachable(notice)
  }
}
