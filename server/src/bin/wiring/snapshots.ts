import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { type Catalogue, emptyCatalogue } from '#domain/catalogue/catalogue.ts'
import type { BrakeState } from '#domain/limits/brake.ts'
import { emptyRoutingTable, type RoutingTable } from '#domain/routing/routing-table.ts'
import { keepSnapshot, type SnapshotKeeper } from '#lib/keep-snapshot.ts'
import { sealingKeyFrom } from '#lib/seal.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { loadBrake } from '#store/postgres/operators/load-brake.sql.ts'
import { loadRouting } from '#store/postgres/operators/load-routing.sql.ts'
import { readRevisions } from '#store/postgres/operators/read-revisions.sql.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'

export interface Snapshots {
  catalogue: () => Catalogue
  routing: () => RoutingTable
  brake: () => BrakeState
  /** Looks for new revisions now, and loads what has moved. */
  refresh(): Promise<void>
  stop(): void
}

/** What every process keeps in memory. One small read a second finds out what has moved. */
export function keepSnapshots(config: Config, pools: PostgresPools, logger: Logger): Snapshots {
  const pool = pools.general
  const store = createCatalogueStore(pool)
  const sealingKey = sealingKeyFrom(config.secret)
  const keep = <T>(what: string, initial: T, load: () => Promise<{ revision: number; value: T }>): SnapshotKeeper<T> =>
    keepSnapshot({
      initial,
      load,
      onError: (error) => logger.error({ err: error }, `the ${what} could not be loaded; the last good one stays`),
    })
  const catalogue = keep('catalogue', emptyCatalogue, async () => {
    const value = await store.load()
    return { revision: value.revision, value }
  })
  const routing = keep('routing table', emptyRoutingTable, async () => {
    const value = await loadRouting(pool, sealingKey)
    return { revision: value.revision, value }
  })
  const brake = keep<BrakeState>('brake', { engaged: false }, async () => {
    const revisions = await readRevisions(pool)
    return { revision: revisions.get('brake') ?? 0, value: await loadBrake(pool) }
  })

  async function refresh(): Promise<void> {
    const revisions = await readRevisions(pool)
    await Promise.all([
      catalogue.seeRevision(revisions.get('catalogue') ?? 0),
      routing.seeRevision(revisions.get('routing') ?? 0),
      brake.seeRevision(revisions.get('brake') ?? 0),
    ])
  }

  const timer = setInterval(() => {
    refresh().catch((error: unknown) => logger.debug({ err: error }, 'revisions could not be read'))
  }, config.revisions.pollMs)
  timer.unref()
  return {
    catalogue: catalogue.current,
    routing: routing.current,
    brake: brake.current,
    refresh,
    stop: () => clearInterval(timer),
  }
}
