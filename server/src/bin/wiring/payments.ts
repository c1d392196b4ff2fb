import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import type { BookDeps } from '#control/payments/follow-payment.ts'
import { takeSentEvent } from '#control/payments/take-event.ts'
import type { PaymentSource } from '#domain/payments/top-up.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { billingEndpoints } from '#http/billing/billing-endpoints.ts'
import { invoiceEndpoint } from '#http/billing/invoice-endpoint.ts'
import { operatedBillingEndpoints } from '#http/billing/operated-billing-endpoints.ts'
import { disputeEndpoint } from '#http/payments/dispute-endpoint.ts'
import { booksEndpoint } from '#http/payments/books-endpoint.ts'
import { operatedPaymentEndpoints } from '#http/payments/operated-payment-endpoints.ts'
import type { TakeEvent } from '#http/payments/webhook-route.ts'
import { autoTopUpEndpoints } from '#http/payments/auto-top-up-endpoints.ts'
import { savedMethodEndpoints } from '#http/payments/saved-method-endpoints.ts'
import { paymentEndpoints } from '#http/payments/payment-endpoints.ts'
import { paymentProviders } from '#net/payments/payment-providers.ts'
import type { Announce } from '#ports/announce.ts'
import type { AuditTrail } from '#ports/audit.ts'
import { createInvoices } from '#store/postgres/billing/postgres-invoices.ts'
import { createBilling } from '#store/postgres/billing/postgres-billing.ts'
import { createCustomers } from '#store/postgres/customers/postgres-customers.ts'
import { createMemberships } from '#store/postgres/organizations/memberships.ts'
import { createAutoTopUps } from '#store/postgres/payments/postgres-auto-top-ups.ts'
import { createPaymentCustomers } from '#store/postgres/payments/payment-customers.sql.ts'
import { createTopUps } from '#store/postgres/payments/postgres-top-ups.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { createProviderStatements } from '#store/postgres/reconciliation/provider-statements.sql.ts'
import { createPostgresWallets, serveWallets } from '#store/postgres/wallets/postgres-wallets.ts'
import { issuerOf, paymentOfferOf } from '../payment-offer.ts'
import { paymentSettingsOf } from '../payment-settings.ts'

interface WiredPayments {
  readonly endpoints: Endpoint[]
  /** Event handlers by payment provider. */
  readonly take: ReadonlyMap<PaymentSource, TakeEvent>
}

interface PaymentWiringDeps {
  readonly config: Config
  readonly logger: Logger
  readonly pools: PostgresPools
  readonly announce: Announce
  readonly auditTrail: AuditTrail
  readonly nowMs: () => number
}

/** Buying credit, the provider's webhook, and the operators' actions on both. */
export function wirePayments(deps: PaymentWiringDeps): WiredPayments {
  const { config, pools, announce, nowMs } = deps
  const offer = paymentOfferOf(config)
  const wallets = serveWallets(createPostgresWallets(pools.general))
  const topUps = createTopUps(pools.general, issuerOf(config))
  const book: BookDeps = { topUps, wallets, announce, log: deps.logger, nowMs }
  const providers = paymentProviders(paymentSettingsOf(config), nowMs)
  const memberships = createMemberships(pools.general)
  const { profiles, documents } = createBilling(pools.general)
  const invoices = createInvoices(pools.general)
  const { terms, taxes } = offer
  const customers = createPaymentCustomers(pools.general)
  const autoTopUps = createAutoTopUps(pools.general)
  const buying = { ...book, offer, providers, memberships, profiles, customers, autoTopUps }
  const named = createCustomers(pools.general)
  const operated = {
    ...book,
    wallets,
    customers: named,
    providers,
    audit: deps.auditTrail,
    terms,
    taxes,
    profiles,
    invoices,
  }
  return {
    endpoints: [
      ...paymentEndpoints(buying),
      ...savedMethodEndpoints({ ...buying, audit: deps.auditTrail }),
      ...billingEndpoints({ profiles, documents, memberships }),
      invoiceEndpoint({ ...buying, invoices }),
      ...operatedBillingEndpoints({ documents, wallets, customers: named }),
      ...autoTopUpEndpoints(buying),
      ...operatedPaymentEndpoints(operated),
      disputeEndpoint(topUps),
      booksEndpoint({ statements: createProviderStatements(pools.general), providers, customers: named }),
    ],
    take: new Map(providers.map((provider) => [provider.name, (sent) => takeSentEvent({ ...book, provider }, sent)])),
  }
}
