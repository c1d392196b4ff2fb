import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import type { BookDeps } from '#control/payments/follow-payment.ts'
import { receiveEvents, type SentEvent } from '#control/payments/take-event.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { operatedPaymentEndpoints } from '#http/payments/operated-payment-endpoints.ts'
import { paymentEndpoints } from '#http/payments/payment-endpoints.ts'
import { chooseProvider } from '#net/payments/choose-provider.ts'
import type { Announce } from '#ports/announce.ts'
import type { AuditTrail } from '#ports/audit.ts'
import { createPostgresOperators, serveOperators } from '#store/postgres/operators/postgres-operators.ts'
import { createMemberships } from '#store/postgres/organizations/memberships.ts'
import { createTopUps } from '#store/postgres/payments/postgres-top-ups.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { paymentOfferOf } from '../payment-offer.ts'

export interface WiredPayments {
  readonly endpoints: Endpoint[]
  /** Null: no provider is set up. */
  readonly take: ((event: SentEvent) => Promise<void>) | null
}

export interface PaymentWiringDeps {
  readonly config: Config
  readonly logger: Logger
  readonly pools: PostgresPools
  readonly announce: Announce
  readonly auditTrail: AuditTrail
  readonly nowMs: () => number
}

/** Buying credit, the provider's webhook, and what operators do of both. */
export function wirePayments(deps: PaymentWiringDeps): WiredPayments {
  const { config, pools, announce, nowMs } = deps
  const offer = paymentOfferOf(config)
  const { wallets } = serveOperators(createPostgresOperators(pools.general))
  const topUps = createTopUps(pools.general)
  const book: BookDeps = { topUps, wallets, announce, log: deps.logger, nowMs }
  const provider = chooseProvider(config.payments, nowMs)
  const operated = { ...book, wallets, provider, audit: deps.auditTrail, terms: offer.terms }
  return {
    endpoints: [
      ...paymentEndpoints({ ...book, offer, provider, memberships: createMemberships(pools.general) }),
      ...operatedPaymentEndpoints(operated),
    ],
    take: receiveEvents(book, provider),
  }
}
