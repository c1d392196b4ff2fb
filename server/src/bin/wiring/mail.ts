import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { createDeliverMail, type DeliverMail, type MailOutcome } from '#control/mail/deliver-mail.ts'
import { createPostMail, type PostMail } from '#control/mail/post-mail.ts'
import { chooseMailer } from '#net/choose-mailer.ts'
import type { MailOutbox } from '#ports/mail-outbox.ts'
import { createMailOutbox } from '#store/postgres/mail/mail-outbox.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import type { MailCounter } from './mail-counter.ts'

interface WiredMail {
  readonly outbox: MailOutbox
  readonly deliver: DeliverMail
  readonly post: PostMail
  /** Whether a mail server is configured. */
  readonly hasServer: boolean
}

/** The outbox and the function that sends from it. */
export function wireMail(deps: {
  config: Config
  logger: Logger
  pool: Pool
  counter: MailCounter
  nowMs: () => number
}): WiredMail {
  const { config, logger, pool, counter, nowMs } = deps
  const outbox = createMailOutbox(pool, sealingKeyOf(config))
  const mailer = chooseMailer(config.mail)
  const deliver = createDeliverMail({
    outbox,
    mailer,
    onOutcome: (outcome, about) => {
      counter.inc({ class: about.class, outcome })
      const { level, message } = lines[outcome]
      logger[level](about, message)
    },
    nowMs,
  })
  return { outbox, deliver, post: createPostMail({ outbox, deliver, nowMs }), hasServer: mailer !== null }
}

const lines: Record<MailOutcome, { readonly level: 'debug' | 'warn'; readonly message: string }> = {
  sent: { level: 'debug', message: 'sent an email' },
  failed: { level: 'warn', message: 'failed to send an email' },
  rejected: { level: 'warn', message: 'email not sent: the mail server knows no such mailbox' },
  expired: { level: 'warn', message: 'email not sent: the mail server did not accept it in time' },
  no_mail_server: { level: 'warn', message: 'email not sent: no mail server is configured' },
  unreadable: { level: 'warn', message: 'email not sent: it is encrypted with a secret that is not configured' },
}
