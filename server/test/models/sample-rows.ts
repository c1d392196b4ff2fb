import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'

/** The rows of the sample catalogue; the test sets the time for dates in it. */
export function sampleRows(): readonly CatalogueRow[] {
  return rowsOfFile(join(import.meta.dirname, '../samples/catalogue.json'))
}

export function rowsOfFile(path: string): readonly CatalogueRow[] {
  const parsed = parseCatalogueFile(JSON.parse(readFileSync(path, 'utf8')))
  if (!parsed.accepted) throw new Error(`${path}: ${JSON.stringify(parsed.problems)}`)
  return parsed.rows
}
