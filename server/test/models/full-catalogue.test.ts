import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { type RecordedStatement, recordStatements } from '#test/bench/usage/recording-pool.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { rowsSeen } from '#test/setup/rows-seen.ts'
import { rowsOfFile, sampleRows } from './sample-rows.ts'

const nowMs = Date.parse('2026-11-15T12:00:00Z')

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

/** The sample repeated this many times under other names. */
function manyRows(times: number): CatalogueRow[] {
  return Array.from({ length: times }, (_, time) =>
    sampleRows().map((row) => ({
      ...row,
      id: `${row.id}-${time}`,
      aliases: row.aliases.map((alias) => `${alias}-${time}`),
    })),
  ).flat()
}

test('a large catalogue is imported, imported again and loaded by the statements of a small one, which take linear work', async () => {
  const small = await workFor(manyRows(3))
  const large = await workFor(manyRows(24))
  for (const step of ['import', 'again', 'load'] as const) {
    expect(large[step].texts, step).toEqual(small[step].texts)
    // Eight times the models: linear work grows by 8, quadratic work by 64.
    expect(large[step].rowsSeen / small[step].rowsSeen, step).toBeLessThan(16)
  }
})

// The full file may be next to the checkout; it is not part of it.
const fullFile = join(import.meta.dirname, '../../../../shared/facts/models.json')
const isPresent = existsSync(fullFile)

test('the full catalogue is imported, imported again without a change, and loaded', async () => {
  if (!isPresent) {
    expect(isPresent).toBe(false)
    return
  }
  await forgetAll(database.pool)
  const rows = rowsOfFile(fullFile)
  expect(rows.length).toBeGreaterThan(1_500)
  const store = createCatalogueStore(database.pool)
  const imported = await store.import(rows, nowMs)
  expect(imported).toMatchObject({ models: rows.length, unchanged: 0, unlisted: 0 })
  expect(imported.offers).toBeGreaterThan(3_000)
  expect(imported.pricesAdded).toBeGreaterThan(3_000)
  expect(imported.retired).toBeGreaterThan(70)
  const again = await store.import(rows, nowMs)
  expect(again).toMatchObject({ pricesAdded: 0, pricesWithdrawn: 0, unchanged: imported.pricesAdded })
  expect((await store.load()).models.size).toBe(rows.length)
})

/** The statements of each step, and the number of rows that Postgres read for them. */
async function workFor(rows: readonly CatalogueRow[]) {
  const { pool } = database
  await forgetAll(pool)
  const first = recordStatements(pool)
  const report = await createCatalogueStore(first.pool).import(rows, nowMs)
  const prices = rows.flatMap((row) => row.prices).length
  expect(report).toMatchObject({ models: rows.length, pricesAdded: prices, unchanged: 0, unlisted: 0 })
  const second = recordStatements(pool)
  const again = await createCatalogueStore(second.pool).import(rows, nowMs)
  expect(again).toMatchObject({ models: rows.length, pricesAdded: 0, pricesWithdrawn: 0, unchanged: prices })
  const third = recordStatements(pool)
  expect((await createCatalogueStore(third.pool).load()).models.size).toBe(rows.length)
  await forgetAll(pool)
  return {
    import: await workOf(pool, first.statements),
    again: await workOf(pool, second.statements),
    load: await workOf(pool, third.statements),
  }
}

function forgetAll(pool: Pool) {
  return pool.query('TRUNCATE models, offers, prices')
}

/** Executes statements again and counts the kept and discarded rows in every node of their plans. */
async function workOf(
  pool: Pool,
  statements: readonly RecordedStatement[],
): Promise<{ texts: string[]; rowsSeen: number }> {
  const texts = statements.map(({ text }) => text)
  let seen = 0
  for (const { text, values } of statements) {
    if (/^(?:BEGIN|COMMIT)/.test(text)) continue
    seen += await rowsSeen(pool, { text, values })
  }
  return { texts, rowsSeen: seen }
}
