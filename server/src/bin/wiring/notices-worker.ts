import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import type { WorkerDeps } from '#jobs/worker-parts.ts'
import { errorCode } from '#lib/error-code.ts'
import { createAlerts } from '#store/postgres/alerts/postgres-alerts.ts'
import { createAnnouncementRounds } from '#store/postgres/announcements/announcement-rounds.ts'
import { takeOverMails } from '#store/postgres/billing/superseded-mail-queues.ts'
import { createCertificateNotices } from '#store/postgres/sign-on/certificate-notices.ts'
import { issuerOf } from '../payment-offer.ts'
import { wireMail } from './mail.ts'
import type { MailCounter } from './mail-counter.ts'

/** Alerts, announcements, notices and the emails that workers send, with their own connections. */
export function wireNotices({
  config,
  logger,
  pool,
  counter,
}: {
  config: Config
  logger: Logger
  pool: Pool
  counter: MailCounter
}): Pick<WorkerDeps, 'alerts' | 'announcements' | 'certificates' | 'mails'> {
  const { lookEveryMs } = config.payments
  const { creditsUrl } = issuerOf(config)
  const { outbox, deliver } = wireMail({ config, logger, pool, counter, nowMs: Date.now })
  return {
    alerts: { alerts: createAlerts(pool), creditsUrl, everyMs: lookEveryMs, log: logger, nowMs: Date.now },
    announcements: { rounds: createAnnouncementRounds(pool), creditsUrl, log: logger, nowMs: Date.now },
    certificates: { notices: createCertificateNotices(pool), creditsUrl, log: logger, nowMs: Date.now },
    mails: {
      outbox,
      deliver,
      takeOver: () => takeOverMails(pool, { creditsUrl, nowMs: Date.now() }),
      lookEveryMs,
      onError: (error) => logger.warn({ code: errorCode(error) }, 'failed to note the outcome of an email'),
    },
  }
}
