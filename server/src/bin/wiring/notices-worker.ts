import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import type { WorkerDeps } from '#jobs/worker-parts.ts'
import { errorCode } from '#lib/error-code.ts'
import { chooseMailer } from '#net/choose-mailer.ts'
import { createAlerts } from '#store/postgres/alerts/postgres-alerts.ts'
import { createMailQueue } from '#store/postgres/notices/mail-queue.ts'
import { paymentOfferOf } from '../payment-offer.ts'

/** Alerts and the emails that workers send, with their own connections. */
export function wireNotices({
  config,
  logger,
  pool,
}: {
  config: Config
  logger: Logger
  pool: Pool
}): Pick<WorkerDeps, 'alerts' | 'mails'> {
  const { lookEveryMs } = config.payments
  return {
    alerts: { alerts: createAlerts(pool), everyMs: lookEveryMs, log: logger, nowMs: Date.now },
    mails: {
      queue: createMailQueue(pool),
      mailer: chooseMailer(config.mail, () => {}),
      creditsUrl: paymentOfferOf(config).creditsUrl,
      lookEveryMs,
      // The error may name the recipient, so only its code is logged.
      onError: (error) => logger.warn({ code: errorCode(error) }, 'failed to send an email'),
      nowMs: Date.now,
    },
  }
}
