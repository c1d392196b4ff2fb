import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { type Catalogue, emptyCatalogue } from '#domain/catalogue/catalogue.ts'
import type { BrakeState } from '#domain/limits/brake.ts'
import { type AutoTables, buildAutoTables, emptyAutoTables } from '#domain/routing/auto/auto-tables.ts'
import { type FreeModels, noFreeModels } from '#domain/routing/free-models.ts'
import { emptyOwnKeyStore, type OwnKeyStore } from '#domain/routing/own-keys.ts'
import type { RoutingTable } from '#domain/routing/routing-table.ts'
import type { SnapshotFact } from '#http/operating/readiness.ts'
import { selectAutoTiers } from '#store/postgres/auto/auto-tier-store.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { selectFreeModels } from '#store/postgres/free/free-model-store.ts'
import { loadBrake } from '#store/postgres/operators/brake.sql.ts'
import type { PostgresPools } from '#store/postgres/pools.ts'
import { readRevisions } from '#store/postgres/revisions.sql.ts'
import { keepReported } from './keep-reported.ts'
import { routingSnapshot } from './routing.ts'

export interface Snapshots {
  catalogue: () => Catalogue
  routing: () => RoutingTable
  ownKeys: () => OwnKeyStore
  autoTables: () => AutoTables
  freeModels: () => FreeModels
  brake: () => BrakeState
  /** The load state of each snapshot. */
  facts: () => SnapshotFact[]
  /** Checks for new revisions now, and reloads the changed snapshots. */
  refresh(): Promise<void>
  stop(): void
}

/** The in-memory snapshots of a process. One small read per second detects changes. */
export function keepSnapshots(config: Config, pools: PostgresPools, logger: Logger, loads: SnapshotLoads): Snapshots {
  const { catalogue, routing, ownKeys, freeModels, autoTables, brake } = createKeepers(config, pools, logger, loads)
  const all = [catalogue, routing, ownKeys, freeModels, autoTables, brake]

  async function refresh(): Promise<void> {
    const revisions = await readRevisions(pools.general)
    await Promise.all([
      catalogue.seeRevision(revisions.of('catalogue')),
      routing.seeRevision(revisions.of('routing')),
      ownKeys.seeRevision(revisions.of('own_keys')),
      freeModels.seeRevision(revisions.of('free')),
      autoTables.seeRevision(revisions.of('auto')),
      brake.seeRevision(revisions.of('brake')),
    ])
  }

  const timer = setInterval(() => {
    refresh().catch((error: unknown) => logger.debug({ err: error }, 'failed to read configuration revisions'))
  }, config.revisions.pollMs)
  timer.unref()
  return {
    catalogue: catalogue.current,
    routing: routing.current,
    ownKeys: ownKeys.current,
    freeModels: freeModels.current,
    autoTables: autoTables.current,
    brake: brake.current,
    facts: () => all.map(({ fact }) => fact),
    refresh,
    stop: () => clearInterval(timer),
  }
}

interface SnapshotLoads {
  ownKeys: () => Promise<OwnKeyStore>
}

function createKeepers(config: Config, pools: PostgresPools, logger: Logger, loads: SnapshotLoads) {
  const pool = pools.general
  const store = createCatalogueStore(pool)
  const catalogue = keepReported(logger, {
    name: 'catalogue',
    what: 'catalogue',
    initial: emptyCatalogue,
    load: async () => {
      const value = await store.load()
      return { revision: value.revision, value }
    },
  })
  const routing = routingSnapshot(config, pools, logger)
  const ownKeys = keepReported(logger, {
    name: 'own-keys',
    what: 'BYOK key list',
    initial: emptyOwnKeyStore,
    load: async () => {
      const value = await loads.ownKeys()
      return { revision: value.revision, value }
    },
  })
  const freeModels = keepReported<FreeModels>(logger, {
    name: 'free-models',
    what: 'free model list',
    initial: noFreeModels,
    load: async () => {
      const revision = (await readRevisions(pool)).of('free')
      const byModel = new Map((await selectFreeModels(pool)).map((model) => [model.modelId, model]))
      return { revision, value: { revision, byModel } }
    },
  })
  const autoTables = keepReported(logger, {
    name: 'auto',
    what: 'auto router table',
    initial: emptyAutoTables,
    load: async () => {
      const { revision, rows } = await selectAutoTiers(pool)
      return { revision, value: buildAutoTables(revision, rows) }
    },
  })
  const brake = keepReported<BrakeState>(logger, {
    name: 'brake',
    what: 'brake',
    initial: { engaged: false },
    load: async () => {
      const revisions = await readRevisions(pool)
      return { revision: revisions.of('brake'), value: await loadBrake(pool) }
    },
  })
  return { catalogue, routing, ownKeys, freeModels, autoTables, brake }
}
