import type { Pool } from 'pg'
import type { Logger } from 'pino'
import type { Config } from '#config/config-schema.ts'
import { proposeChanges } from '#control/catalogue/sync/propose-changes.ts'
import type { CatalogueSyncDeps } from '#jobs/catalogue/catalogue-parts.ts'
import type { ResolveHost } from '#ports/outbound.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { createCatalogueProposals } from '#store/postgres/catalogue/proposals-store.ts'
import { wireCatalogueSources } from './catalogue-sources.ts'

interface WiredCatalogueSync {
  readonly deps: CatalogueSyncDeps
  close(): Promise<void>
}

/** Compares the catalogue with the configured sources. */
export function wireCatalogueSync({
  config,
  logger,
  pool,
  resolve,
}: {
  config: Config
  logger: Logger
  pool: Pool
  resolve: ResolveHost
}): WiredCatalogueSync {
  const { close, ...wired } = wireCatalogueSources({ config, resolve })
  const catalogue = createCatalogueStore(pool)
  return {
    deps: {
      sources: config.catalogue.sources,
      everyMs: config.catalogue.syncEveryMs,
      propose: (sources) => proposeChanges({ ...wired, catalogue, nowMs: Date.now }, sources),
      proposals: createCatalogueProposals(pool),
      log: logger,
    },
    close,
  }
}
