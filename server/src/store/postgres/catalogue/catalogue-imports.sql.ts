import type { Pool } from 'pg'
import type { CatalogueImports, PastImport } from '#ports/catalogue.ts'
import { refuseWhenAway } from '../faults.ts'

const keptMax = 20

/**
 * $1: id; $2: now; $3: the models as they were. It reads the revision, so it runs after the revision has moved, and
 * keeps the newest records.
 */
export const recordImport = `
  WITH stale AS (
    DELETE FROM catalogue_imports
     WHERE id NOT IN (SELECT id FROM catalogue_imports ORDER BY revision DESC LIMIT ${keptMax - 1})
  )
  INSERT INTO catalogue_imports (id, imported_at, base_revision, revision, before)
  SELECT $1, $2, revision - 1, revision, $3 FROM revisions WHERE topic = 'catalogue'`

/**
 * $1: id. The catalogue is then again as the import before it left it, so that one can be undone next, unless something
 * else changed the catalogue between the two.
 */
export const forgetImport = `
  WITH undone AS (
    DELETE FROM catalogue_imports WHERE id = $1 RETURNING base_revision
  )
  UPDATE catalogue_imports
     SET revision = (SELECT revision FROM revisions WHERE topic = 'catalogue')
   WHERE revision = (SELECT base_revision FROM undone)`

const selectLast = `
  SELECT id, (extract(epoch FROM imported_at) * 1000)::float8 AS imported_at_ms, revision::float8 AS revision, before
    FROM catalogue_imports ORDER BY revision DESC LIMIT 1`

interface Row {
  id: PastImport['id']
  imported_at_ms: number
  revision: number
  before: PastImport['before']
}

export function createCatalogueImports(pool: Pool): CatalogueImports {
  return {
    async findLast() {
      const { rows } = await refuseWhenAway(pool.query<Row>(selectLast))
      const [row] = rows
      if (row === undefined) return null
      return { id: row.id, importedAtMs: row.imported_at_ms, revision: row.revision, before: row.before }
    },
  }
}
