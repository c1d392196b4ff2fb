import type { Config } from '#config/config-schema.ts'
import type { Endpoint } from '#http/endpoint.ts'
import { accountingEndpoints } from '#http/accounting/accounting-endpoints.ts'
import { revenueEndpoint } from '#http/accounting/revenue-endpoint.ts'
import { brakeEndpoints } from '#http/operators/brake-endpoints.ts'
import { earningsEndpoint } from '#http/operators/earnings-endpoint.ts'
import { evidenceEndpoints } from '#http/operators/evidence-endpoints.ts'
import { jobsEndpoint } from '#http/operators/jobs-endpoint.ts'
import { operatorKeyEndpoints } from '#http/operators/operator-key-endpoints.ts'
import { operatorPeopleEndpoints } from '#http/operators/operator-people-endpoints.ts'
import { operatorSelfEndpoint } from '#http/operators/operator-self-endpoint.ts'
import { platformAuditEndpoints } from '#http/operators/platform-audit-endpoints.ts'
import { repeatJobEndpoint } from '#http/operators/repeat-job-endpoint.ts'
import { requestEndpoints } from '#http/operators/request-endpoints.ts'
import { requestListEndpoint } from '#http/operators/request-list-endpoint.ts'
import type { Announce } from '#ports/announce.ts'
import { createPostgresAccounting } from '#store/postgres/accounting/postgres-accounting.ts'
import { createPostgresAccount } from '#store/postgres/account/postgres-account.ts'
import { createAuditArchive } from '#store/postgres/audit/audit-log.ts'
import { createRequestLookup } from '#store/postgres/generations/trace-request.sql.ts'
import { createCustomers } from '#store/postgres/customers/postgres-customers.ts'
import { createJobReads } from '#store/postgres/jobs/job-reads.ts'
import { createJobRepeats } from '#store/postgres/jobs/job-repeats.ts'
import { createEvidenceStore } from '#store/postgres/moderation/evidence-store.ts'
import { createOperatedRequests } from '#store/postgres/operated-requests/postgres-operated-requests.ts'
import { createServedKeyStore } from '#store/postgres/keys/postgres-key-store.ts'
import { createServedOperatorKeys } from '#store/postgres/operators/operator-keys.ts'
import { createOperatorPeople } from '#store/postgres/operators/operator-people.ts'
import { createPostgresOperators, serveOperators } from '#store/postgres/operators/postgres-operators.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { createPostgresEarnings } from '#store/postgres/usage/postgres-earnings.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { wireCustomers } from './customers.ts'
import { wireHealth } from './health.ts'
import type { Snapshots } from './snapshots.ts'
import { wireSupply } from './supply.ts'

/** The operators' API, with the same rules as the commands. */
export function wireOperatorEndpoints(deps: {
  config: Config
  pools: PostgresPools
  snapshots: Pick<Snapshots, 'catalogue' | 'routing' | 'ownKeys'>
  announce: Announce
  nowMs: () => number
}): Endpoint[] {
  const { operators, users, wallets } = serveOperators(createPostgresOperators(deps.pools.general))
  const requests = createOperatedRequests(deps.pools.general)
  const accounting = createPostgresAccounting(deps.pools.general)
  return [
    wireHealth({ config: deps.config, pool: deps.pools.general, operators }, deps.nowMs),
    ...wireSupply(deps),
    jobsEndpoint({ jobs: createJobReads(deps.pools.general), customers: createCustomers(deps.pools.general) }),
    repeatJobEndpoint(createJobRepeats(deps.pools.general)),
    ...evidenceEndpoints(createEvidenceStore(deps.pools.general, sealingKeyOf(deps.config))),
    ...brakeEndpoints(operators),
    requestListEndpoint({ requests, wallets }),
    operatorSelfEndpoint(),
    ...operatorPeopleEndpoints({ people: createOperatorPeople(deps.pools.general), users }),
    ...operatorKeyEndpoints({
      operatorKeys: createServedOperatorKeys(deps.pools.general),
      keys: createServedKeyStore(deps.pools.general),
      announce: deps.announce,
    }),
    ...platformAuditEndpoints({
      archive: createAuditArchive(deps.pools.general),
      customers: createCustomers(deps.pools.general),
    }),
    ...requestEndpoints({
      requests,
      lookup: createRequestLookup(deps.pools.general),
      generations: createPostgresAccount(deps.pools.general).generations,
    }),
    earningsEndpoint(createPostgresEarnings(deps.pools.general)),
    ...accountingEndpoints(accounting),
    revenueEndpoint(accounting),
    ...wireCustomers(deps),
  ]
}
