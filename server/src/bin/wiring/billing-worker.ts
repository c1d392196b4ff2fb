import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import type { BillingJobDeps } from '#jobs/billing/invoice-part.ts'
import { createInvoices } from '#store/postgres/billing/postgres-invoices.ts'
import { issuerOf, paymentOfferOf } from '../payment-offer.ts'

/** A worker's jobs for invoices, with their own connections. */
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
  const { taxes } = paymentOfferOf(config)
  return {
    invoices: createInvoices(pool),
    terms: { ...issuerOf(config), taxes, dueDays, suspendDays },
    log: logger,
    nowMs: Date.now,
  }
}
