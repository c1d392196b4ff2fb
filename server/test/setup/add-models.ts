import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import type { JsonObject } from '#lib/json.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import type { TestGateway } from './gateway.ts'

/** Adds models in the format of an import file. */
export async function addModels(
  { pool, gateway }: Pick<TestGateway, 'pool'> & { readonly gateway: Pick<TestGateway['gateway'], 'refresh'> },
  records: readonly JsonObject[],
): Promise<void> {
  const parsed = parseCatalogueFile([...records])
  if (!parsed.accepted) throw new Error(`refused: ${JSON.stringify(parsed.problems)}`)
  await createCatalogueStore(pool).import(parsed.rows, Date.now())
  await gateway.refresh()
}
