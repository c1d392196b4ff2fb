import type { Pool } from 'pg'
import type { CatalogueStore } from '#ports/catalogue.ts'
import { importCatalogue } from './import-catalogue.ts'
import { loadCatalogue } from './load-catalogue.ts'
import { type RevisionRow, readRevision } from './read-revision.sql.ts'

/** The catalogue in Postgres. */
export function createCatalogueStore(pool: Pool): CatalogueStore {
  return {
    load: () => loadCatalogue(pool),
    import: (rows, nowMs, options) => importCatalogue(pool, { rows, nowMs, replace: options?.replace ?? false }),
    async revision() {
      const { rows } = await pool.query<RevisionRow>(readRevision)
      return rows[0]?.revision ?? 0
    },
  }
}
