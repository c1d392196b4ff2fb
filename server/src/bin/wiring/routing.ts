import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { emptyRoutingTable, type RoutingTable } from '#domain/routing/routing-table.ts'
import { followSnapshot } from '#jobs/follow-snapshot.ts'
import { keepsPrompts } from '#providers/registry.ts'
import { loadRouting } from '#store/postgres/operators/routes.sql.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { readRevisions } from '#store/postgres/revisions.sql.ts'
import { sealingKeyOf } from '../sealing-key.ts'
import { keepReported, type KeptSnapshot } from './keep-reported.ts'

/** The routing table snapshot of every process that needs it. */
export function routingSnapshot(
  config: Config,
  { general }: PostgresPools,
  logger: Logger,
): KeptSnapshot<RoutingTable> {
  const sealingKey = sealingKeyOf(config)
  return keepReported(logger, {
    name: 'routing',
    what: 'routing table',
    initial: emptyRoutingTable,
    load: async () => {
      const value = await loadRouting(general, { sealingKey, vendorKeepsPrompts: keepsPrompts })
      return { revision: value.revision, value }
    },
  })
}

/** The provider accounts, for a process that needs no other snapshot of a gateway. */
export interface KeptRouting {
  current: () => RoutingTable
  /** While this is false, a missing account must not be treated as deleted. */
  readonly isLoaded: boolean
  /** Reloads the table if its revision has changed. Throws if the load fails. */
  follow(): Promise<void>
}

export function keepRouting(config: Config, pools: PostgresPools, logger: Logger): KeptRouting {
  const routing = routingSnapshot(config, pools, logger)
  return {
    current: routing.current,
    get isLoaded() {
      return routing.isLoaded
    },
    follow: followSnapshot({
      readRevision: async () => (await readRevisions(pools.general)).of('routing'),
      snapshot: routing,
    }),
  }
}
