import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { seedDemo } from '#bin/dev/seed-demo.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { createEmptyDatabase, type TestDatabase } from '#test/setup/database.ts'
import { rollUpUsage } from '#test/usage/roll-up-usage.ts'

const nowMs = Date.parse('2026-11-16T15:30:00Z')

describe('the past of the demo', () => {
  let databases: TestDatabase[]
  let keys: Awaited<ReturnType<typeof seedDemo>>
  const first = () => databases[0] as TestDatabase
  beforeAll(async () => {
    databases = await Promise.all([createEmptyDatabase(), createEmptyDatabase()])
    keys = await seed(first())
    await seed(databases[1] as TestDatabase)
  })
  afterAll(() => Promise.all(databases.map((database) => database.drop())))

  it('agrees with the ledger, before and after it is added up', async () => {
    expect(await auditLedger(first().pool, { overdueMs: 60_000 })).toEqual([])
    expect(await rollUpUsage(first().pool)).toBeGreaterThan(500)
    expect(await auditLedger(first().pool, { overdueMs: 60_000 })).toEqual([])
  })

  it('is a month of several keys and models, with refunds and failovers, and leaves most of the credit', async () => {
    const { rows } = await first().pool.query<Record<string, string>>(
      `SELECT count(DISTINCT key_id) AS keys, count(DISTINCT model) AS models, count(DISTINCT date_trunc('day', started_at)) AS days,
        count(DISTINCT refund_reason) AS refunds, count(*) FILTER (WHERE is_failover) > 5 AS failovers FROM generations WHERE organization_id IS NULL`,
    )
    expect(rows[0]).toEqual({ keys: '4', models: '6', days: '31', refunds: '3', failovers: true })
    const { rows: wallets } = await first().pool.query<{ charged: string; isMost: boolean }>(
      `SELECT charged_nano AS charged, balance_nano > charged_nano AS "isMost" FROM wallets WHERE charged_nano > 0`,
    )
    expect(wallets).toMatchObject([{ isMost: true }, { isMost: true }])
  })

  it('has a key whose limit is used up to the last cent', async () => {
    const { rows } = await first().pool.query<{ left: string }>(
      `SELECT k.spend_limit_nano - sum(d.spent_nano) AS left FROM api_keys k JOIN key_usage_days d ON d.key_id = k.id
        WHERE k.spend_limit_nano IS NOT NULL GROUP BY k.id, k.spend_limit_nano`,
    )
    expect(rows).toHaveLength(1)
    expect(Number(rows[0]?.left)).toBeGreaterThanOrEqual(0)
    expect(Number(rows[0]?.left)).toBeLessThan(10_000_000)
  })

  it('has an organization with teams, idle and suspended people, and budgets that are nearly used up', async () => {
    const { rows: members } = await first().pool.query<{ name: string; used: number | null; suspended: boolean }>(
      `SELECT u.name, (100 * sum(d.spent_nano) / m.monthly_budget_nano)::int AS used, m.suspended_at IS NOT NULL AS suspended FROM members m JOIN users u ON u.id = m.user_id
        LEFT JOIN spend_days d ON d.kind = 'member' AND d.owner_id = m.id AND d.day >= '2026-11-01'
        GROUP BY u.name, m.monthly_budget_nano, m.suspended_at ORDER BY u.name`,
    )
    expect(members.map(({ name }) => name)).toHaveLength(9)
    expect(members.filter(({ suspended }) => suspended).map(({ name }) => name)).toEqual(['Kai Brandt'])
    expect(members.find(({ name }) => name === 'Priya Nair')?.used).toBeGreaterThan(90)
    const { rows: owned } = await first().pool.query(
      `SELECT count(DISTINCT member_id) AS people, count(DISTINCT team_id) AS teams FROM generations WHERE organization_id IS NOT NULL`,
    )
    expect(owned).toEqual([{ people: '6', teams: '3' }])
    const { rows: log } = await first().pool.query(
      `SELECT count(*) > 10 AS "isLong" FROM audit_entries WHERE action LIKE 'org%' OR action LIKE 'team%'`,
    )
    expect(log).toEqual([{ isLong: true }])
  })

  it('is the same on every machine', async () => {
    const sums = await Promise.all(
      databases.map(({ pool }) => pool.query('SELECT count(*), sum(cost_nano), min(started_at) FROM generations')),
    )
    expect(sums[0]?.rows).toEqual(sums[1]?.rows)
  })

  it('is made once for a database', async () => {
    const count = () => first().pool.query('SELECT count(*) FROM generations')
    const before = (await count()).rows
    expect(await seedDemo({ postgres: postgresOf(first()) }, keys, nowMs + 86_400_000)).toEqual(keys)
    expect((await count()).rows).toEqual(before)
  })
})

function seed(database: TestDatabase) {
  return seedDemo({ postgres: postgresOf(database) }, {}, nowMs)
}

function postgresOf({ url }: TestDatabase) {
  return { url } as Parameters<typeof seedDemo>[0]['postgres']
}
