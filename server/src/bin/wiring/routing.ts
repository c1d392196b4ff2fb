import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { emptyRoutingTable, type RoutingTable } from '#domain/routing/routing-table.ts'
import { keepSnapshot, type SnapshotKeeper } from '#lib/keep-snapshot.ts'
import { keepsPrompts } from '#providers/keeps-prompts.ts'
import { loadRouting } from '#store/postgres/operators/load-routing.sql.ts'
import { readRevisions } from '#store/postgres/operators/read-revisions.sql.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { sealingKeyOf } from '../sealing-key.ts'

/** The providers' accounts, for a process that needs nothing else of what gateways keep in memory. */
export interface KeptRouting {
  current: () => RoutingTable
  refresh(): Promise<void>
  stop(): void
}

/** The routing table as it is kept in every process that needs it. */
export function routingSnapshot(
  config: Config,
  { general }: PostgresPools,
  logger: Logger,
): SnapshotKeeper<RoutingTable> {
  const sealingKey = sealingKeyOf(config)
  return keepSnapshot<RoutingTable>({
    initial: emptyRoutingTable,
    load: async () => {
      const value = await loadRouting(general, { sealingKey, vendorKeepsPrompts: keepsPrompts })
      return { revision: value.revision, value }
    },
    onError: (error) => logger.error({ err: error }, 'the routing table could not be loaded; the last good one stays'),
  })
}

export function keepRouting(config: Config, pools: PostgresPools, logger: Logger): KeptRouting {
  const routing = routingSnapshot(config, pools, logger)
  const refresh = async (): Promise<void> => {
    await routing.seeRevision((await readRevisions(pools.general)).get('routing') ?? 0)
  }
  const timer = setInterval(() => {
    refresh().catch((error: unknown) => logger.debug({ err: error }, 'revisions could not be read'))
  }, config.revisions.pollMs)
  return { current: routing.current, refresh, stop: () => clearInterval(timer) }
}
