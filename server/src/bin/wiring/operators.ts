import type { Config } from '#config/config-schema.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { brakeEndpoints } from '#http/operators/brake-endpoints.ts'
import { operatedAccountEndpoints } from '#http/operators/operated-account-endpoints.ts'
import { providerEndpoints } from '#http/operators/provider-endpoints.ts'
import { requestEndpoints } from '#http/operators/request-endpoints.ts'
import { routeEndpoints } from '#http/operators/route-endpoints.ts'
import type { Announce } from '#ports/announce.ts'
import { createPostgresAccount } from '#store/postgres/account/postgres-account.ts'
import { createRequestLookup } from '#store/postgres/generations/trace-request.sql.ts'
import { createPostgresOperators, serveOperators } from '#store/postgres/operators/postgres-operators.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { vendorTerms } from '../vendor-terms.ts'
import type { Snapshots } from './snapshots.ts'

/** The operators' API, with the same rules as the commands. */
export function wireOperatorEndpoints(deps: {
  config: Config
  pools: PostgresPools
  snapshots: Pick<Snapshots, 'catalogue' | 'routing'>
  announce: Announce
}): Endpoint[] {
  const { operators, users, wallets } = serveOperators(createPostgresOperators(deps.pools.general))
  const { catalogue, routing } = deps.snapshots
  return [
    ...providerEndpoints({ operators, sealingKey: sealingKeyOf(deps.config), vendors: vendorTerms }),
    ...routeEndpoints({ operators, catalogue, routing }),
    ...brakeEndpoints(operators),
    ...requestEndpoints({
      lookup: createRequestLookup(deps.pools.general),
      generations: createPostgresAccount(deps.pools.general).generations,
    }),
    ...operatedAccountEndpoints({ users, wallets, announce: deps.announce, terms: deps.config.payments }),
  ]
}
