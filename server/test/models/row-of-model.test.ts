import { afterAll, beforeAll, expect, test } from 'vitest'
import { rowOfModel } from '#control/catalogue/row-of-model.ts'
import { diffCatalogue } from '#control/catalogue/sync/diff-catalogue.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { createSampleDatabase, type TestDatabase } from '#test/setup/database.ts'
import { sampleRows } from './sample-rows.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await createSampleDatabase()
})
afterAll(() => database.drop())

test('the rows of a loaded catalogue are those that were imported: importing them again changes nothing', async () => {
  const store = createCatalogueStore(database.pool)
  const rows = [...(await store.load()).models.values()].map(rowOfModel)
  expect(rows.length).toBe(sampleRows().length)
  expect(diffCatalogue(sampleRows(), rows)).toEqual([])
  const report = await store.import(rows, Date.now())
  expect(report).toMatchObject({ pricesAdded: 0, pricesWithdrawn: 0, unlisted: 0 })
})
