import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { createSilentMailer } from '#net/silent-mailer.ts'
import { createSmtpMailer } from '#net/smtp-mailer.ts'
import type { Mailer } from '#ports/mailer.ts'

export function wireMailer({ mail }: Config, logger: Logger): Mailer {
  if (mail.url === null || mail.from === null) {
    return createSilentMailer(() => logger.warn('a mail went nowhere: no mail server is configured'))
  }
  return createSmtpMailer({ url: mail.url, from: mail.from })
}
