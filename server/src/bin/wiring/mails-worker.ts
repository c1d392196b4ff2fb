import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import type { MailJobDeps } from '#jobs/notices/send-mails.ts'
import { errorCode } from '#lib/error-code.ts'
import { chooseMailer } from '#net/choose-mailer.ts'
import { createMailQueue } from '#store/postgres/notices/mail-queue.ts'
import { paymentOfferOf } from '../payment-offer.ts'

/** Mails that workers send, with their own connections. */
export function wireMails({ config, logger, pool }: { config: Config; logger: Logger; pool: Pool }): MailJobDeps {
  return {
    queue: createMailQueue(pool),
    mailer: chooseMailer(config.mail, () => {}),
    creditsUrl: paymentOfferOf(config).creditsUrl,
    lookEveryMs: config.payments.lookEveryMs,
    // The error itself may name the receiver.
    onError: (error) => logger.warn({ code: errorCode(error) }, 'a mail could not be sent'),
    nowMs: Date.now,
  }
}
