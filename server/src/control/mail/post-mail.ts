import type { MailOutbox, NewMail } from '#ports/mail-outbox.ts'
import type { DeliverMail } from './deliver-mail.ts'

// If a process dies while it sends an email, a worker takes it over after this time.
export const mailClaimMs = 120_000

export type PostMail = (mail: NewMail) => Promise<void>

/** Adds an email that a person waits for, and sends it at once. If that fails, workers retry it. */
export function createPostMail(deps: {
  readonly outbox: Pick<MailOutbox, 'addClaimed'>
  readonly deliver: DeliverMail
  readonly nowMs: () => number
}): PostMail {
  return async (mail) => deps.deliver(await deps.outbox.addClaimed(mail, { claimMs: mailClaimMs, nowMs: deps.nowMs() }))
}
