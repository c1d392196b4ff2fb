import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import { purgeRuns } from '#store/postgres/runs/purge-runs.sql.ts'
import { createRuns } from '#store/postgres/runs/postgres-runs.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { settleEntry } from '#test/money/settles.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { dayMs } from '#test/setup/day.ts'

const nowMs = Date.now()

let database: TestDatabase
let walletId: string
beforeAll(async () => {
  database = await createTestDatabase()
})
beforeEach(async () => {
  walletId = newUuid(nowMs)
  await database.pool.query(
    `INSERT INTO wallets (id, owner_kind, owner_id, balance_nano, credited_nano) VALUES ($1, 'organization', $2, 0, 0)`,
    [walletId, newUuid(nowMs)],
  )
  await database.pool.query('TRUNCATE runs, run_models, run_counts')
  await database.pool.query('UPDATE rollup_state SET retained_from = current_date - 400')
})
afterAll(() => database.drop())

const store = () => createRuns(database.pool, { nowMs: () => nowMs, runsMax: 1_000 })
const purge = (atMost = 100) => purgeRuns(database.pool, atMost)

/** Creates a run that is so many days old, and had its last request so many days ago. */
async function runOf(
  id: string,
  days: number,
  { requestDays = null as number | null, parent = null as string | null } = {},
) {
  await store().create(walletId, { id, parent, budget: nanoUsd(1_000n), rules: null }, null)
  const runId = (await idOf(id)) ?? ''
  if (requestDays !== null) {
    const startedAtMs = nowMs - requestDays * dayMs
    const payer = { id: newUuid(startedAtMs), walletId, keyId: newUuid(nowMs), userId: null }
    const { record } = settleEntry(payer, nanoUsd(0n), { startedAtMs })
    await settleGenerations(database.pool, [{ record: { ...record, runId }, windows: [] }])
  }
  await database.pool.query(`UPDATE runs SET created_at = now() - $2 * interval '1 day' WHERE id = $1`, [runId, days])
  return runId
}

async function idOf(id: string): Promise<string | undefined> {
  const text = 'SELECT id FROM runs WHERE wallet_id = $1 AND external_id = $2'
  return (await database.pool.query<{ id: string }>(text, [walletId, id])).rows[0]?.id
}

/** The runs of the wallet: whether each is stopped. */
async function runs(): Promise<Record<string, boolean>> {
  const text = 'SELECT external_id, stopped_at IS NOT NULL AS stopped FROM runs WHERE wallet_id = $1'
  const { rows } = await database.pool.query<{ external_id: string; stopped: boolean }>(text, [walletId])
  return Object.fromEntries(rows.map((row) => [row.external_id, row.stopped]))
}

const anHourLater = () => database.pool.query(`UPDATE runs SET stopped_at = stopped_at - interval '61 minutes'`)

describe('[NEXT-123] a run whose requests have expired', () => {
  it('is stopped, and deleted with its sums an hour later', async () => {
    const runId = await runOf('old', 402, { requestDays: 401 })
    await database.pool.query(`INSERT INTO spend_windows (kind, owner_id, starts_at) VALUES ('run_life', $1, 0)`, [
      runId,
    ])
    expect(await purge()).toBe(1)
    expect(await runs()).toEqual({ old: true })
    expect(await purge()).toBe(0)
    await anHourLater()
    expect(await purge()).toBe(1)
    expect(await runs()).toEqual({})
    for (const [table, column] of [
      ['run_models', 'run_id'],
      ['spend_days', 'owner_id'],
      ['spend_windows', 'owner_id'],
    ]) {
      expect((await database.pool.query(`SELECT 1 FROM ${table} WHERE ${column} = $1`, [runId])).rows, table).toEqual(
        [],
      )
    }
    const counted = await database.pool.query('SELECT runs FROM run_counts WHERE wallet_id = $1', [walletId])
    expect(counted.rows).toEqual([{ runs: '0' }])
    expect(await store().create(walletId, { id: 'old', parent: null, budget: null, rules: null }, null)).toBe('created')
    expect(await auditLedger(database.pool, { overdueMs: 60_000 })).toEqual([])
  })

  it('is deleted without ever having had a request, or after it was stopped', async () => {
    await runOf('unused', 401)
    await runOf('stopped', 401)
    await database.pool.query(`UPDATE runs SET stopped_at = now() - interval '2 hours' WHERE external_id = 'stopped'`)
    expect(await purge()).toBe(2)
    expect(await runs()).toEqual({ unused: true })
    await anHourLater()
    expect(await purge()).toBe(1)
    expect(await runs()).toEqual({})
  })

  it('waits for its child runs', async () => {
    await runOf('top', 402)
    await runOf('child', 401, { parent: 'top' })
    expect(await purge()).toBe(1)
    expect(await runs()).toEqual({ top: false, child: true })
    await anHourLater()
    // A stop precedes the deletion of the last child run within a round.
    expect(await purge()).toBe(1)
    expect(await runs()).toEqual({ top: false })
    expect(await purge()).toBe(1)
    await anHourLater()
    expect(await purge()).toBe(1)
    expect(await runs()).toEqual({})
  })

  it('waits for a request that holds some of its budget', async () => {
    const runId = await runOf('held', 401)
    const text = `INSERT INTO spend_windows (kind, owner_id, starts_at, held_nano) VALUES ('run_life', $1, 0, 5)`
    await database.pool.query(text, [runId])
    expect(await purge()).toBe(0)
    await database.pool.query(`UPDATE runs SET stopped_at = now() - interval '2 hours' WHERE id = $1`, [runId])
    expect(await purge()).toBe(0)
    await database.pool.query('UPDATE spend_windows SET held_nano = 0 WHERE owner_id = $1', [runId])
    expect(await purge()).toBe(1)
    expect(await runs()).toEqual({})
  })

  it('is the only run to go: runs with a kept request stay, and so do all runs until a request is dropped', async () => {
    const active = await runOf('active', 500, { requestDays: 3 })
    await runOf('young', 3)
    expect(await purge()).toBe(0)
    expect(await runs()).toEqual({ active: false, young: false })
    const noted = `SELECT active_at < now() - interval '2 days' AND active_at > now() - interval '4 days' AS noted FROM runs WHERE id = $1`
    expect((await database.pool.query(noted, [active])).rows).toEqual([{ noted: true }])
    await runOf('old', 401)
    await database.pool.query(`UPDATE rollup_state SET retained_from = '-infinity'`)
    expect(await purge()).toBe(0)
    expect(await runs()).toEqual({ active: false, young: false, old: false })
  })

  it('is deleted once, in batches, however many workers do it', async () => {
    for (let n = 0; n < 9; n += 1) await runOf(`r${n}`, 401)
    const stopped = await Promise.all([purge(3), purge(3), purge(3)])
    expect(Math.max(...stopped)).toBeLessThanOrEqual(3)
    while ((await purge(3)) > 0);
    await anHourLater()
    let deleted = 0
    for (let round = -1; round !== 0; deleted += round) {
      round = (await Promise.all([purge(2), purge(2)])).reduce((sum, count) => sum + count)
      expect(round).toBeLessThanOrEqual(4)
    }
    expect(deleted).toBe(9)
    const counted = await database.pool.query('SELECT runs FROM run_counts WHERE wallet_id = $1', [walletId])
    expect(counted.rows).toEqual([{ runs: '0' }])
  })
})
