import { afterAll, beforeAll, expect, it } from 'vitest'
import { createBenchCallers } from '#test/bench/usage/bench-callers.sql.ts'
import { findSubject } from '#test/bench/usage/find-subject.ts'
import { rollUpAtLeast } from '#test/bench/usage/rollup-rounds.ts'
import { loadStage } from '#test/bench/usage/load-generations.ts'
import { expectRollupsOnly, readPlan } from '#test/bench/usage/read-plan.ts'
import { readPagePlan } from '#test/bench/usage/read-page-plan.ts'
import { type UsagePage, usagePages } from '#test/bench/usage/usage-pages.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'

let database: TestDatabase
let pages: readonly UsagePage[]
let loaded = 0
let rolledUp = 0

beforeAll(async () => {
  database = await createTestDatabase()
  const { pool } = database
  await createBenchCallers(pool, { days: 45 })
  for (const stage of [1, 2]) {
    const load = await loadStage(pool, { stage, rows: 10_000, log: () => {} })
    loaded += load.rows
    rolledUp += await rollUpAtLeast(pool, load.rows)
  }
  pages = usagePages(await findSubject(pool))
})

afterAll(() => database.drop())

it('fills days anew that were rolled up before, and rolls up every request of them once', async () => {
  const { rows } = await database.pool.query<{ requests: string }>(
    'SELECT sum(requests) AS requests FROM usage_account_days',
  )
  expect(loaded).toBeGreaterThanOrEqual(20_000)
  expect(rolledUp).toBe(loaded)
  expect(Number(rows[0]?.requests)).toBe(loaded)
})

it('reads usage, insights and reports from sums, whatever is asked for', async () => {
  const [nothing, ...others] = pages
  expect(nothing?.name).toBe('one row of a wallet')
  for (const page of others) {
    const { relations } = await readPagePlan(database.pool, page)
    expect(
      relations.some((relation) => relation.startsWith('usage_')),
      page.name,
    ).toBe(true)
  }
})

it('refuses a plan that reads requests', async () => {
  const plan = await readPlan(database.pool, { text: 'SELECT count(*) FROM generations', values: [] })
  expect(() => expectRollupsOnly(plan, 'a count')).toThrow(/generations_/u)
})
