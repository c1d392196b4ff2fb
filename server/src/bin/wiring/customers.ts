import type { Config } from '#config/config-schema.ts'
import { customerEndpoints } from '#http/customers/customer-endpoints.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { viewEndpoints } from '#http/customers/view-endpoints.ts'
import { operatedAccountEndpoints } from '#http/operators/operated-account-endpoints.ts'
import { operatedWalletEndpoints } from '#http/wallets/operated-wallet-endpoints.ts'
import type { Announce } from '#ports/announce.ts'
import { createCustomers } from '#store/postgres/customers/postgres-customers.ts'
import { createLedgerReads } from '#store/postgres/ledger/postgres-ledger-reads.ts'
import { createCustomerViews } from '#store/postgres/operators/customer-views.ts'
import { createPostgresOperators, serveOperators } from '#store/postgres/operators/postgres-operators.ts'
import { createOrganizations } from '#store/postgres/organizations/organization-store.ts'
import { createTopUps } from '#store/postgres/payments/postgres-top-ups.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { issuerOf } from '../payment-offer.ts'

/** Customers for operators: search, notes, suspension, credit, and views of their consoles. */
export function wireCustomers({
  config,
  pools: { general },
  announce,
}: {
  config: Config
  pools: PostgresPools
  announce: Announce
}): Endpoint[] {
  const { users, wallets } = serveOperators(createPostgresOperators(general))
  const ledger = createLedgerReads(general)
  const organizations = createOrganizations(general)
  return [
    ...customerEndpoints({
      customers: createCustomers(general),
      wallets,
      ledger,
      topUps: createTopUps(general, issuerOf(config)),
    }),
    ...viewEndpoints({ users, views: createCustomerViews(general) }),
    ...operatedWalletEndpoints({ ledger, wallets }),
    ...operatedAccountEndpoints({ users, organizations, wallets, announce, terms: config.payments }),
  ]
}
