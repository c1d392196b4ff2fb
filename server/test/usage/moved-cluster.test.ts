import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { startOf } from '#lib/utc-calendar.ts'
import { newUuid, type Uuid } from '#lib/uuid.ts'
import { isDataFault } from '#store/postgres/faults.ts'
import { createPostgresRollup, rebasePositions } from '#store/postgres/usage/postgres-rollup.ts'
import { dayMs } from '#test/setup/day.ts'
import { countTransactions, moveDatabase } from './move-database.ts'
import { createUsageWorld, type UsageWorld } from './usage-world.ts'

const nowMs = Date.now()
const range = { startMs: startOf('day', nowMs) - dayMs, endMs: startOf('day', nowMs) + 2 * dayMs }

describe('a database that was moved to another cluster', () => {
  let origin: UsageWorld
  let world: UsageWorld
  let walletId: Uuid
  let keyId: Uuid

  beforeAll(async () => {
    origin = await createUsageWorld()
    // The source cluster has far more transactions than the new one.
    await countTransactions(origin.database, 20_000)
    walletId = await origin.newWallet()
    keyId = newUuid(nowMs)
    await settle(origin, 1n, 20n)
    await origin.rollUpAll(2)
    await settle(origin, 300n)
    world = await createUsageWorld(await moveDatabase(origin.database))
  })
  afterAll(async () => {
    await world.database.drop()
    await origin.database.drop()
  })

  async function settle(where: UsageWorld, ...costs: bigint[]): Promise<void> {
    await where.settle(costs.map((cost) => ({ walletId, keyId, startedAtMs: nowMs, cost: nanoUsd(cost) })))
  }

  async function spent(): Promise<bigint | undefined> {
    const [row] = await world.usage.sum({ walletId, range, by: [] })
    return row?.spent
  }

  async function charged(): Promise<bigint> {
    const { rows } = await world.database.pool.query<{ charged: string }>(
      'SELECT charged_nano AS charged FROM wallets WHERE id = $1',
      [walletId],
    )
    return BigInt(rows[0]?.charged ?? 0)
  }

  it('counts transactions from a smaller number', async () => {
    const { rows } = await world.database.pool.query<{ is_behind: boolean }>(
      'SELECT settle_position() < rolled_up_below - 10000 AS is_behind FROM rollup_state',
    )
    expect(rows).toEqual([{ is_behind: true }])
  })

  it('neither settles nor rolls up before `weir migrate`, and says so in a way that settles wait for', async () => {
    const refusal = await settle(world, 4_000n).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ message: expect.stringContaining('weir migrate') })
    expect(isDataFault(refusal)).toBe(false)
    await expect(createPostgresRollup(world.database.pool).rollUp(10)).rejects.toThrow('weir migrate')
    expect([await charged(), await spent()]).toEqual([321n, 21n])
  })

  it('sums up every request once after it: those rolled up before, those not, those of its time and those that follow', async () => {
    const { pool } = world.database
    // This transaction started before the move was noticed, and settles after it.
    const early = await pool.connect()
    await early.query('BEGIN')
    await early.query('SELECT pg_current_xact_id()')
    expect(await Promise.all([rebasePositions(pool), rebasePositions(pool)])).toEqual(
      expect.arrayContaining([true, false]),
    )
    expect(await rebasePositions(pool)).toBe(false)
    const { rows } = await early.query('SELECT settle_position() > max(settled_position) AS is_above FROM generations')
    expect(rows).toEqual([{ is_above: true }])
    await settle(world, 4_000n)
    await createPostgresRollup(pool).rollUp(10)
    await early.query(
      `INSERT INTO generations (id, wallet_id, key_id, endpoint, model, streamed, cancelled, is_failover, started_at, duration_ms, cost_nano)
        VALUES ($1, $2, $3, 'chat', 'acme/model', false, false, false, $4, 1, 50000)`,
      [newUuid(nowMs), walletId, keyId, new Date(nowMs)],
    )
    await early.query('UPDATE wallets SET charged_nano = charged_nano + 50000 WHERE id = $1', [walletId])
    await early.query('COMMIT')
    early.release()
    await world.rollUpAll(2)
    await settle(world, 600_000n)
    await world.rollUpAll()
    expect([await charged(), await spent()]).toEqual([654_321n, 654_321n])
  })

  it('keeps its marks where transactions go on from a higher number, as after pg_upgrade', async () => {
    const { pool } = world.database
    const offset = async (): Promise<unknown> =>
      (await pool.query('SELECT position_offset, cluster FROM rollup_state')).rows[0]
    const before = await offset()
    await pool.query(`UPDATE rollup_state SET cluster = 'before pg_upgrade'`)
    expect(await rebasePositions(pool)).toBe(true)
    expect(await offset()).toEqual(before)
  })
})
