import { writeMail } from '#control/notices/write-mail.ts'
import { errorCode } from '#lib/error-code.ts'
import type { Mailer } from '#ports/mailer.ts'
import type { MailDelivery, MailQueue } from '#ports/mail-queue.ts'
import type { Part } from '../part.ts'
import { runClaims } from '../run-claims.ts'

export interface MailJobDeps {
  readonly queue: MailQueue
  readonly mailer: Mailer
  /** The link in emails. */
  readonly creditsUrl: string
  readonly lookEveryMs: number
  readonly onError: (error: unknown) => void
  readonly nowMs: () => number
}

const atOnce = 4
// If a worker dies with an email, others take it over after this.
const claimMs = 120_000
const firstPauseMs = 60_000
const pauseMaxMs = 3_600_000
const giveUpAfterMs = 24 * 3_600_000

/** Sends due emails, each at least once, and retries for a day. */
export function mailPart(deps: MailJobDeps): Part {
  const claims = runClaims({
    atOnce,
    claim: (atMost) => deps.queue.claim(atMost, claimMs),
    work: (delivery) => sendMail(deps, delivery),
    onError: deps.onError,
  })
  return { name: 'mails', everyMs: deps.lookEveryMs, ...claims }
}

async function sendMail({ queue, mailer, creditsUrl, nowMs }: MailJobDeps, delivery: MailDelivery): Promise<void> {
  if (!mailer.delivers) return queue.failed(delivery, { error: 'no mail server is configured', againInMs: null })
  try {
    await mailer.send({ to: delivery.to, ...writeMail(delivery.notice, { creditsUrl }) })
  } catch (error) {
    // The error text may name the recipient.
    const againInMs = nextTryIn(delivery, nowMs())
    return queue.failed(delivery, { error: errorCode(error), againInMs })
  }
  return queue.sent(delivery)
}

/** Doubles after every attempt, up to an hour; null after a day. */
function nextTryIn({ attempts, createdAtMs }: MailDelivery, nowMs: number): number | null {
  const pauseMs = Math.min(pauseMaxMs, firstPauseMs * 2 ** Math.min(attempts, 30))
  return nowMs + pauseMs - createdAtMs > giveUpAfterMs ? null : pauseMs
}
