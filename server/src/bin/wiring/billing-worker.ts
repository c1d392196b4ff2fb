import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import type { BillingJobDeps } from '#jobs/billing/billing-parts.ts'
import { chooseMailer } from '#net/choose-mailer.ts'
import { createInvoices } from '#store/postgres/billing/postgres-invoices.ts'
import { createBilling } from '#store/postgres/billing/postgres-billing.ts'
import { paymentOfferOf, sellerOf } from '../payment-offer.ts'

/** A worker's jobs for receipts and invoices, with their own connections. */
export function wireBillingJobs({
  config,
  logger,
  pool,
}: {
  config: Config
  logger: Logger
  pool: Pool
}): BillingJobDeps {
  const { invoiceDueDays: dueDays, invoiceSuspendDays: suspendDays } = config.payments
  const { taxes, creditsUrl } = paymentOfferOf(config)
  return {
    invoices: createInvoices(pool),
    terms: { seller: sellerOf(config), taxes, dueDays, suspendDays },
    mails: createBilling(pool).mails,
    mailer: chooseMailer(config.mail, () => logger.warn('email not sent: no mail server is configured')),
    creditsUrl,
    log: logger,
    lookEveryMs: config.payments.lookEveryMs,
    nowMs: Date.now,
  }
}
