import type { Endpoint } from '#http/endpoint.ts'
import { reportEndpoints } from '#http/reports/report-endpoints.ts'
import { createSpenders } from '#store/postgres/organizations/spenders.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { createPostgresUsage } from '#store/postgres/usage/postgres-usage.ts'

/** What organizations spent, month by month. */
export function wireReports(pools: PostgresPools): Endpoint[] {
  return reportEndpoints({
    usage: createPostgresUsage(pools.sums),
    spenders: createSpenders(pools.general),
  })
}
