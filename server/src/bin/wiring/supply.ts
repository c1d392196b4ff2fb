import type { Config } from '#config/config-schema.ts'
import { announcementEndpoints } from '#http/operators/announcement-endpoints.ts'
import { catalogueEndpoints } from '#http/operators/catalogue-endpoints.ts'
import { catalogueHistoryEndpoint } from '#http/operators/catalogue-history-endpoint.ts'
import { pricePlanEndpoints } from '#http/operators/price-plan-endpoints.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { providerEndpoints } from '#http/operators/provider-endpoints.ts'
import { providerFailuresEndpoint } from '#http/operators/provider-failures-endpoint.ts'
import { routeEndpoints } from '#http/operators/route-endpoints.ts'
import { routeExplanationEndpoint } from '#http/operators/route-explanation-endpoint.ts'
import { canServe } from '#providers/codecs/can-serve.ts'
import { createAllowedModelsStore } from '#store/postgres/allowed-models/allowed-models-store.ts'
import { createAnnouncements } from '#store/postgres/announcements/postgres-announcements.ts'
import { createAuditArchive } from '#store/postgres/audit/audit-log.ts'
import { createCatalogueImports } from '#store/postgres/catalogue/catalogue-imports.sql.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { createCatalogueProposals } from '#store/postgres/catalogue/proposals-store.ts'
import { createCustomers } from '#store/postgres/customers/postgres-customers.ts'
import { createOperatedRequests } from '#store/postgres/operated-requests/postgres-operated-requests.ts'
import { createPostgresOperators, serveOperators } from '#store/postgres/operators/postgres-operators.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { createOfferUse } from '#store/postgres/usage/offer-use.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { vendorTerms } from '../vendor-terms.ts'
import type { Snapshots } from './snapshots.ts'

/** Provider accounts, routes and prices for operators. */
export function wireSupply({
  config,
  pools: { general },
  snapshots: { catalogue, routing, ownKeys },
  nowMs,
}: {
  config: Config
  pools: PostgresPools
  snapshots: Pick<Snapshots, 'catalogue' | 'routing' | 'ownKeys'>
  nowMs: () => number
}): Endpoint[] {
  const { operators, wallets } = serveOperators(createPostgresOperators(general))
  const store = createCatalogueStore(general)
  const [announcements, customers] = [createAnnouncements(general), createCustomers(general)]
  const allowedModels = createAllowedModelsStore(general, nowMs)
  return [
    ...providerEndpoints({ operators, sealingKey: sealingKeyOf(config), vendors: vendorTerms }),
    providerFailuresEndpoint({ operators, requests: createOperatedRequests(general) }),
    ...routeEndpoints({ operators, catalogue, routing }),
    routeExplanationEndpoint({ operators, catalogue, routing, ownKeys, canServe, wallets, allowedModels }),
    ...catalogueEndpoints({ catalogue, operators, store }),
    ...pricePlanEndpoints({
      catalogue: store,
      proposals: createCatalogueProposals(general),
      imports: createCatalogueImports(general),
      uses: createOfferUse(general),
      customers,
      announcements,
    }),
    ...announcementEndpoints({ announcements, customers }),
    catalogueHistoryEndpoint(createAuditArchive(general)),
  ]
}
