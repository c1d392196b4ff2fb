import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { emptyRoutingTable, type RoutingTable } from '#domain/routing/routing-table.ts'
import { keepSnapshot } from '#lib/keep-snapshot.ts'
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

export function keepRouting(config: Config, { general }: PostgresPools, logger: Logger): KeptRouting {
  const sealingKey = sealingKeyOf(config)
  const routing = keepSnapshot<RoutingTable>({
    initial: emptyRoutingTable,
    load: async () => {
      const value = await loadRouting(general, { sealingKey, vendorKeepsPrompts: keepsPrompts })
      return { revision: value.revision, value }
    },
    onError: (error) => logger.error({ err: error }, 'the routing table could not be loaded; the last good one stays'),
  })
  const refresh = async (): Promise<void> => {
    await routing.seeRevision((await readRevisions(general)).get('routing') ?? 0)
  }
  const timer = setInterval(() => {
    refresh().catch((error: unknown) => logger.debug({ err: error }, 'revisions could not be read'))
  }, config.revisions.pollMs)
  return { current: routing.current, refresh, stop: () => clearInterval(timer) }
}
