import { layoutOf } from '#domain/billing/document-layout.ts'
import { documentPdf } from '#domain/billing/document-pdf.ts'
import type { MailClass } from '#domain/mail/mail-class.ts'
import { pauseAfter } from '#domain/mail/pause-after.ts'
import { errorCode } from '#lib/error-code.ts'
import type { ClaimedMail, MailOutbox } from '#ports/mail-outbox.ts'
import type { Mail, Mailer } from '#ports/mailer.ts'

/**
 * The outcome of a delivery attempt. `failed` counts each attempt that is or may be retried; the others close the
 * email. `unreadable`: the secret that encrypted it is no longer configured.
 */
export type MailOutcome = 'sent' | 'failed' | 'rejected' | 'expired' | 'no_mail_server' | 'unreadable'

export interface DeliverMailDeps {
  readonly outbox: Pick<MailOutbox, 'sent' | 'failed'>
  /** Null if no mail server is configured. */
  readonly mailer: Mailer | null
  /** `error` is the code alone: the text of an error may name the recipient. */
  readonly onOutcome: (outcome: MailOutcome, about: { readonly class: MailClass; readonly error?: string }) => void
  readonly nowMs: () => number
}

export type DeliverMail = (mail: ClaimedMail) => Promise<void>

/** Sends a claimed email once and records the outcome. Every process sends emails through this function. */
export function createDeliverMail(deps: DeliverMailDeps): DeliverMail {
  const { outbox, mailer, onOutcome, nowMs } = deps
  const giveUp = async (mail: ClaimedMail, outcome: Exclude<MailOutcome, 'sent' | 'failed'>): Promise<void> => {
    const noted = await outbox.failed(mail, { error: outcome, pauseMs: null, nowMs: nowMs() })
    if (noted !== 'superseded') onOutcome(outcome, { class: mail.class })
  }
  const fail = async (mail: ClaimedMail, error: string): Promise<void> => {
    onOutcome('failed', { class: mail.class, error })
    const noted = await outbox.failed(mail, { error, pauseMs: pauseAfter(mail.attempts), nowMs: nowMs() })
    if (noted === 'given_up') onOutcome('expired', { class: mail.class })
  }
  return async (mail) => {
    if (mailer === null) return giveUp(mail, 'no_mail_server')
    if (mail.isExpired) return giveUp(mail, 'expired')
    if (mail.text === null) return giveUp(mail, 'unreadable')
    const answer = await send(mailer, mail, mail.text)
    if (answer instanceof Error) return fail(mail, errorCode(answer))
    if (answer === 'rejected') return giveUp(mail, 'rejected')
    await outbox.sent(mail)
    onOutcome('sent', { class: mail.class })
  }
}

async function send(mailer: Mailer, mail: ClaimedMail, text: string): Promise<'accepted' | 'rejected' | Error> {
  const { to, subject, name, document } = mail
  try {
    return await mailer.send({ to, subject, text, name, ...(document === null ? {} : attach(document)) })
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

/**
 * Documents never change, so the PDF is created when the email is sent instead of in the transaction that issues the
 * document.
 */
function attach({ number, snapshot }: NonNullable<ClaimedMail['document']>): Pick<Mail, 'attachment'> {
  const bytes = documentPdf(layoutOf(snapshot))
  return { attachment: { fileName: `${number}.pdf`, contentType: 'application/pdf', bytes } }
}
