import type { DeliverMail } from '#control/mail/deliver-mail.ts'
import { mailClaimMs } from '#control/mail/post-mail.ts'
import type { MailOutbox } from '#ports/mail-outbox.ts'
import type { Part } from '../part.ts'
import { runClaims } from '../run-claims.ts'

export interface MailJobDeps {
  readonly outbox: Pick<MailOutbox, 'claim'>
  readonly deliver: DeliverMail
  /** Moves emails to this queue that processes of the previous release have queued. */
  readonly takeOver: () => Promise<void>
  readonly lookEveryMs: number
  readonly onError: (error: unknown) => void
}

const atOnce = 4

/** Sends the emails that are due. */
export function mailPart({ outbox, deliver, takeOver, lookEveryMs, onError }: MailJobDeps): Part {
  const { run, end } = runClaims({
    atOnce,
    claim: (atMost) => outbox.claim(atMost, mailClaimMs),
    work: deliver,
    onError,
  })
  return {
    name: 'mails',
    everyMs: lookEveryMs,
    run: async (signal) => {
      await takeOver()
      return run(signal)
    },
    end,
  }
}
