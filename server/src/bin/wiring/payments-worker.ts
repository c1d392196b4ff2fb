import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import type { PaymentJobDeps } from '#jobs/payments/payment-parts.ts'
import { paymentProviders } from '#net/payments/payment-providers.ts'
import { createBilling } from '#store/postgres/billing/postgres-billing.ts'
import { createErasedCustomers } from '#store/postgres/payments/payment-customers.sql.ts'
import { createAutoTopUps } from '#store/postgres/payments/postgres-auto-top-ups.ts'
import { createTopUps } from '#store/postgres/payments/postgres-top-ups.ts'
import { createProviderStatements } from '#store/postgres/reconciliation/provider-statements.sql.ts'
import { createPostgresWallets } from '#store/postgres/wallets/postgres-wallets.ts'
import { issuerOf, paymentOfferOf } from '../payment-offer.ts'
import { paymentSettingsOf } from '../payment-settings.ts'

/** A worker's jobs for payments, with their own connections. */
export function wirePaymentJobs({
  config,
  logger,
  pool,
}: {
  config: Config
  logger: Logger
  pool: Pool
}): PaymentJobDeps {
  return {
    providers: paymentProviders(paymentSettingsOf(config), Date.now),
    topUps: createTopUps(pool, issuerOf(config)),
    autoTopUps: createAutoTopUps(pool),
    erasedCustomers: createErasedCustomers(pool),
    profiles: createBilling(pool).profiles,
    statements: createProviderStatements(pool),
    wallets: createPostgresWallets(pool),
    offer: paymentOfferOf(config),
    // Workers have no connection to Redis; gateways drop cached wallet data within 15 s.
    announce: async () => {},
    log: logger,
    nowMs: Date.now,
    lookEveryMs: config.payments.lookEveryMs,
  }
}
