import type { MailOutbox, NewMail } from '#ports/mail-outbox.ts'
import type { DeliverMail } from './deliver-mail.ts'

// A process that dies while it sends leaves the email to the workers after this.
export const mailClaimMs = 120_000

export type PostMail = (mail: NewMail) => Promise<void>

/** Adds an email that a person waits for, and sends it at once. Workers retry it where that fails. */
export function createPostMail(deps: {
  readonly outbox: Pick<MailOutbox, 'addClaimed'>
  readonly deliver: DeliverMail
  readonly nowMs: () => number
}): PostMail {
  return async (mail) => deps.deliver(await deps.outbox.addClaimed(mail, { claimMs: mailClaimMs, nowMs: deps.nowMs() }))
}
