import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { chooseMailer } from '#net/choose-mailer.ts'
import type { Mailer } from '#ports/mailer.ts'

export function wireMailer({ mail }: Config, logger: Logger): Mailer {
  return chooseMailer(mail, () => logger.warn('a mail went nowhere: no mail server is configured'))
}
