import { readFile } from 'node:fs/promises'
import type { Pool } from 'pg'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'

export const sampleCatalogueFile = new URL('../samples/catalogue.json', import.meta.url)

/** Imports the models and prices that most tests use. */
export async function importSampleCatalogue(pool: Pool): Promise<void> {
  const parsed = parseCatalogueFile(JSON.parse(await readFile(sampleCatalogueFile, 'utf8')))
  if (!parsed.accepted) throw new Error(`the sample catalogue is invalid: ${JSON.stringify(parsed.problems)}`)
  await createCatalogueStore(pool).import(parsed.rows, Date.now())
}
