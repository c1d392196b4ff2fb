import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { createTestDatabase } from '#test/setup/database.ts'
import { rowsOfFile } from './sample-rows.ts'

const nowMs = Date.parse('2026-11-15T12:00:00Z')

// The full file may lie beside the checkout; it is not part of it.
const fullFile = join(import.meta.dirname, '../../../../shared/facts/models.json')
const isPresent = existsSync(fullFile)

test('a catalogue of full size is imported within seconds and loaded within one', async () => {
  if (!isPresent) {
    expect(isPresent).toBe(false)
    return
  }
  const rows = rowsOfFile(fullFile)
  expect(rows.length).toBeGreaterThan(1_500)
  const database = await createTestDatabase()
  try {
    const store = createCatalogueStore(database.pool)
    const imported = await timed(() => store.import(rows, nowMs))
    expect(imported.result).toMatchObject({ models: rows.length, unchanged: 0, unlisted: 0 })
    expect(imported.result.offers).toBeGreaterThan(3_000)
    expect(imported.result.pricesAdded).toBeGreaterThan(3_000)
    expect(imported.result.retired).toBeGreaterThan(70)
    expect(imported.ms).toBeLessThan(10_000)

    const again = await timed(() => store.import(rows, nowMs))
    expect(again.result).toMatchObject({ pricesAdded: 0, pricesWithdrawn: 0, unchanged: imported.result.pricesAdded })
    expect(again.ms).toBeLessThan(10_000)

    const loaded = await timed(() => store.load())
    expect(loaded.result.models.size).toBe(rows.length)
    expect(loaded.ms).toBeLessThan(1_000)
  } finally {
    await database.drop()
  }
})

async function timed<Result>(work: () => Promise<Result>): Promise<{ result: Result; ms: number }> {
  const startMs = performance.now()
  const result = await work()
  return { result, ms: performance.now() - startMs }
}
