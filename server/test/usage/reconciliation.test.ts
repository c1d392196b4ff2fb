import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { dateOf, startOf } from '#lib/utc-calendar.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import type { Discrepancy } from '#ports/ledger.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { createPostgresReconciliation } from '#store/postgres/reconciliation/postgres-reconciliation.ts'
import { dayMs } from '#test/setup/day.ts'
import { createUsageWorld, type UsageWorld } from './usage-world.ts'

const nowMs = Date.now()
const today = dateOf(nowMs)
const unbilled = { allowance: nanoUsd(500_000_000n), percent: 5 }
const month = dateOf(startOf('month', nowMs))
const keyId = newUuid(nowMs)
// Rolled up into hourly sums that have no partition of their own, as if the partitions of that month had been dropped.
const oldMs = startOf('day', nowMs) - 100 * dayMs

const sums = ['usage_series', 'usage_hours', 'usage_days', 'usage_months', 'usage_account_days']
const books = ['generations', 'ledger_transfers', 'key_usage_days', ...sums]

describe('reconciliation', () => {
  let world: UsageWorld
  let walletId: Uuid
  let other: Uuid

  beforeAll(async () => {
    world = await createUsageWorld()
    walletId = await newFundedWallet()
    other = await newFundedWallet()
  })
  afterAll(() => world.database.drop())

  beforeEach(async () => {
    const { pool } = world.database
    for (const table of books) await pool.query(`DELETE FROM ${table}`)
    await pool.query(
      `UPDATE wallets SET charged_nano = 0, balance_nano = 1000000, credited_nano = 1000000, held_nano = 0`,
    )
    await pool.query(
      `INSERT INTO ledger_transfers (id, leg, wallet_id, kind, debit, credit, amount_nano)
        SELECT gen_random_uuid(), 0, id, 'grant', 'grants', 'wallet', 1000000 FROM wallets`,
    )
    await pool.query(`UPDATE rollup_state SET retained_from = '-infinity'`)
    await settle(walletId, [nowMs, 70n], [nowMs, 30n], [oldMs, 500n])
    await settle(other, [nowMs, 11n])
    await world.rollUpAll()
    await settle(walletId, [nowMs, 9n])
  })

  async function newFundedWallet(): Promise<Uuid> {
    const id = await world.newWallet()
    await world.database.pool.query(
      'UPDATE wallets SET balance_nano = 1000000, credited_nano = 1000000 WHERE id = $1',
      [id],
    )
    return id
  }

  async function settle(wallet: Uuid, ...requests: [startedAtMs: number, cost: bigint][]): Promise<void> {
    await world.settle(
      requests.map(([startedAtMs, cost]) => ({
        walletId: wallet,
        keyId,
        startedAtMs,
        cost: nanoUsd(cost),
        held: nanoUsd(cost),
        firstTokenMs: 120,
        usage: { ...noUsage, uncachedInput: 1_000, textOutput: 10 },
      })),
    )
  }

  const audit = (): Promise<Discrepancy[]> => auditLedger(world.database.pool, { overdueMs: 0 })
  const reconcile = () =>
    createPostgresReconciliation(world.database.pool, { nowMs: () => nowMs, unbilled }).reconcile()

  /** Runs a statement and returns the first discrepancy afterwards. */
  async function firstAfter(statement: string, values: unknown[] = []): Promise<Discrepancy | undefined> {
    const { rowCount } = await world.database.pool.query(statement, values)
    expect(rowCount).toBe(1)
    return (await audit())[0]
  }

  it('finds nothing while some requests are rolled up, some are not, and others are being', async () => {
    expect(await audit()).toEqual([])
    expect(await reconcile()).toEqual({ wallets: 2, pending: 1, discrepancies: [] })
    const busy = new AbortController()
    const traffic = (async () => {
      while (!busy.signal.aborted) {
        await settle(walletId, [nowMs, 3n], [nowMs - dayMs, 4n])
        await world.rollUpAll(1)
      }
    })()
    for (let round = 0; round < 5; round += 1) {
      expect(await audit()).toEqual([])
      expect(await reconcile()).toMatchObject({ discrepancies: [] })
    }
    busy.abort()
    await traffic
  })

  it.each([
    ['usage_days', 'day', today],
    ['usage_account_days', 'day', today],
    ['usage_hours', 'hour::date', today],
  ])('names wallet, day, table and rows when a sum in %s is not what was rolled up', async (table, time, day) => {
    const first = await firstAfter(
      `UPDATE ${table} SET spent_nano = spent_nano + 1, prompt_tokens = prompt_tokens - 7 WHERE wallet_id = $1 AND ${time} = $2`,
      [walletId, day],
    )
    const right = 'spent_nano 100, prompt_tokens 2000'
    const wrong = 'spent_nano 101, prompt_tokens 1993'
    expect(first).toMatchObject({ walletId, table, day, month, expected: right, found: wrong })
    expect(first?.rows).toEqual([expect.objectContaining({ model: 'acme/model', generations: right, [table]: wrong })])
  })

  it('names the month when usage_months says something else than the days, in the quick reconciliation as well', async () => {
    const statement = 'UPDATE usage_months SET requests = requests + 1 WHERE wallet_id = $1 AND month = $2'
    const expected = { walletId, table: 'usage_months', day: null, month, expected: 'requests 2', found: 'requests 3' }
    const rows = [{ key_id: keyId, usage_days: 'requests 2', usage_months: 'requests 3' }]
    expect(await firstAfter(statement, [walletId, month])).toMatchObject({ ...expected, rows })
    expect((await reconcile())?.discrepancies).toMatchObject([{ ...expected, rows }])
  })

  it('names sums of months long gone', async () => {
    const first = await firstAfter('DELETE FROM usage_months WHERE wallet_id = $1 AND month < $2', [walletId, month])
    expect(first).toMatchObject({ walletId, table: 'usage_months', found: 'no rollup' })
    expect((await reconcile())?.discrepancies).toMatchObject([
      { walletId, table: 'usage_months', expected: '609', found: '109' },
    ])
  })

  it('names the generations when all sums agree that they were others', async () => {
    const first = await firstAfter('UPDATE generations SET text_output = 11 WHERE wallet_id = $1 AND cost_nano = 70', [
      walletId,
    ])
    expect(first).toMatchObject({
      walletId,
      table: 'generations',
      day: today,
      expected: 'completion_tokens 20',
      found: 'completion_tokens 21',
    })
  })

  it('finds a lost row of each table of sums', async () => {
    for (const table of ['usage_days', 'usage_account_days', 'usage_hours'] as const) {
      const time = table === 'usage_hours' ? 'hour' : 'day'
      const removed = `WITH gone AS (DELETE FROM ${table} WHERE wallet_id = $1 AND ${time} >= $2 RETURNING *) SELECT * FROM gone`
      const { rows } = await world.database.pool.query<Record<string, unknown>>(removed, [walletId, today])
      expect((await audit())[0]).toMatchObject({ walletId, table, day: today, found: 'no rollup' })
      await world.database.pool.query(
        `INSERT INTO ${table} SELECT * FROM jsonb_populate_recordset(NULL::${table}, $1)`,
        [JSON.stringify(rows)],
      )
      expect(await audit()).toEqual([])
    }
  })

  it('finds times of first tokens that were counted elsewhere, and sums that no page could find', async () => {
    const statement = `UPDATE usage_days SET first_token_counts = array_cat(first_token_counts[2:12], '{0}') WHERE wallet_id = $1`
    expect(await firstAfter(statement, [other])).toMatchObject({ walletId: other, table: 'usage_days', day: today })
    await world.database.pool.query(
      `UPDATE usage_days SET first_token_counts = array_cat('{0}', first_token_counts[1:11]) WHERE wallet_id = $1`,
      [other],
    )
    expect(await audit()).toEqual([])
    const lost = 'DELETE FROM usage_series WHERE wallet_id = $1 AND key_id IS NULL'
    expect(await firstAfter(lost, [other])).toMatchObject({
      walletId: other,
      what: 'rollups must belong to a series of their wallet',
      table: 'usage_account_days',
      found: 'no series',
    })
  })

  it('names requests whose charge is missing, or of another amount', async () => {
    const { pool } = world.database
    const { rows } = await pool.query<{ id: string }>(
      `DELETE FROM ledger_transfers WHERE wallet_id = $1 AND amount_nano = 70 RETURNING id`,
      [walletId],
    )
    await pool.query('UPDATE ledger_transfers SET amount_nano = 31 WHERE wallet_id = $1 AND amount_nano = 30', [
      walletId,
    ])
    const [first] = await audit()
    expect(first).toMatchObject({ walletId, table: 'ledger_transfers', day: today, month })
    expect(first?.rows).toHaveLength(2)
    expect(first?.rows).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ id: rows[0]?.id, cost_nano: '70', charged_nano: null }),
        expect.objectContaining({ cost_nano: '30', charged_nano: '31' }),
      ]),
    )
  })

  it('finds requests that were never rolled up though the rollup has passed them, and names the day', async () => {
    await world.database.pool.query(
      'UPDATE rollup_state SET rolled_up_below = (SELECT max(settled_position) + 1 FROM generations)',
    )
    const found = await audit()
    expect(found[0]).toMatchObject({ walletId, day: today })
    expect(found.find(({ what }) => what.startsWith('charges must equal rollups'))).toMatchObject({
      expected: '609',
      found: '600',
    })
    expect((await reconcile())?.discrepancies).toMatchObject([{ walletId, expected: '609', found: '600' }])
    await world.database.pool.query(
      'UPDATE rollup_state SET rolled_up_below = (SELECT max(settled_position) FROM generations)',
    )
    expect(await audit()).toEqual([])
  })

  it('proves all that was ever charged after the generations of old days were dropped, and compares only days that are kept', async () => {
    const { pool } = world.database
    await pool.query('DELETE FROM generations WHERE started_at < $1', [new Date(oldMs + dayMs)])
    expect((await audit())[0]).toMatchObject({ walletId, day: dateOf(oldMs), expected: 'no generation' })
    await pool.query('UPDATE rollup_state SET retained_from = $1', [dateOf(oldMs + dayMs)])
    expect(await audit()).toEqual([])
    expect(await reconcile()).toMatchObject({ discrepancies: [] })
    // For such a day the ledger still has the cost.
    await pool.query('DELETE FROM usage_days WHERE wallet_id = $1 AND day = $2', [walletId, dateOf(oldMs)])
    await pool.query('DELETE FROM usage_account_days WHERE wallet_id = $1 AND day = $2', [walletId, dateOf(oldMs)])
    await pool.query('DELETE FROM usage_months WHERE wallet_id = $1 AND month < $2', [walletId, month])
    expect((await audit())[0]).toMatchObject({
      walletId,
      what: 'charges must equal rollups plus pending usage',
      day: dateOf(oldMs),
      rows: [{ day: dateOf(oldMs), charged_nano: '500', summed_nano: '0', pending_nano: '0' }],
    })
  })

  it('lets a wallet owe what it owed when the kept days began', async () => {
    const { pool } = world.database
    await pool.query('UPDATE ledger_transfers SET amount_nano = 400, id = $2 WHERE wallet_id = $1 AND kind = $3', [
      walletId,
      newUuid(oldMs),
      'grant',
    ])
    const owing = 'balance_nano = 400 - 609, credited_nano = 400, credit_line_nano = 0'
    await pool.query(`UPDATE wallets SET ${owing} WHERE id = $1`, [walletId])
    await pool.query('UPDATE generations SET held_nano = 0 WHERE cost_nano = 500')
    expect(await audit()).toEqual([])
    await pool.query('DELETE FROM generations WHERE cost_nano = 500')
    await pool.query('UPDATE rollup_state SET retained_from = $1', [dateOf(oldMs + dayMs)])
    // The wallet owed 100; nothing since then exceeded its hold, so 109 more are unexplained.
    expect((await audit())[0]).toMatchObject({ walletId, expected: '>= -100', found: '-209' })
    await pool.query('UPDATE generations SET held_nano = 0 WHERE wallet_id = $1', [walletId])
    expect(await audit()).toEqual([])
  })

  it('is done by one worker at a time', async () => {
    const client = await world.database.pool.connect()
    await client.query(`BEGIN; SELECT pg_advisory_xact_lock(hashtext('weir.reconcile'))`)
    expect(await reconcile()).toBeNull()
    await client.query('ROLLBACK')
    client.release()
    expect(await reconcile()).toMatchObject({ wallets: 2 })
  })
})
