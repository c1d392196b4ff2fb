import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PoolClient } from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { formatUsd, type NanoUsd, nanoUsd, parseUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { isDataFault } from '#store/postgres/faults.ts'
import { sweepHolds } from '#store/postgres/money/holds.sql.ts'
import { createPostgresMoney, type MoneyQueues, settleDistinct } from '#store/postgres/money/postgres-money.ts'
import { createPools, type PostgresPools } from '#store/postgres/pools.ts'
import { createSettleSpool, type SettleSpool } from '#store/spool/settle-spool.ts'
import { createAccounts, type TestAccounts, type TestClient } from '#test/setup/accounts.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { settleEntry } from './settles.ts'

let database: TestDatabase
let accounts: TestAccounts
let pools: PostgresPools
let folder: string
let spool: SettleSpool
let money: MoneyQueues
let spooled: unknown[]

beforeAll(async () => {
  database = await createTestDatabase()
  accounts = createAccounts(database.pool, { secret: 'x'.repeat(32), refresh: async () => {} })
  pools = createPools({ url: database.url, poolMax: 4, onError: () => {} })
})
afterAll(async () => {
  await pools.close()
  await database.drop()
})
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-queues-'))
  spooled = []
  spool = createSettleSpool({
    folder,
    settle: (entries) => settleDistinct(pools.settles, entries),
    isFinal: isDataFault,
    onRejected: () => {},
  })
  // Longer than any deadlock lasts on a busy machine.
  money = queues(30_000)
})
afterEach(async () => {
  await money.idle()
  expect(await auditLedger(database.pool, { overdueMs: 600_000 })).toEqual([])
  await rm(folder, { recursive: true, force: true })
})

function queues(settleDeadlineMs: number, holdDeadlineMs = 10_000): MoneyQueues {
  return createPostgresMoney({
    holdPool: pools.holds,
    settlePool: pools.settles,
    spool,
    leaseMs: 60_000,
    holdDeadlineMs,
    settleDeadlineMs,
    onSpooled: (error) => spooled.push(error),
  })
}

async function holdOf(caller: TestClient, amount: NanoUsd): Promise<string> {
  const id = newUuid(Date.now())
  const verdict = await money.hold({ id, walletId: caller.walletId, keyId: caller.keyId, amount, windows: [] })
  expect(verdict).toMatchObject({ allowed: true })
  return id
}

describe('the same generation settled ten times at once', () => {
  it.each([
    ['a charge', parseUsd('2'), { balance: '23', held: '0', charged: '2' }],
    ['a refund', zeroUsd, { balance: '25', held: '0', charged: '0' }],
  ])('[P4] [MONEY-09] has one effect: %s', async (_what, cost, expected) => {
    const caller = await accounts.createClient()
    const id = await holdOf(caller, parseUsd('3'))
    const entry = settleEntry({ ...caller, id }, cost)
    const others = [queues(4_000), queues(4_000)]
    const charges = await Promise.all(
      Array.from({ length: 10 }, (_, turn) => [money, ...others][turn % 3]?.settle(entry)),
    )
    expect(new Set(charges.map((charge) => charge?.cost))).toEqual(new Set([cost]))
    expect(await accounts.walletOf(caller.walletId)).toEqual(expected)
    const { rows } = await database.pool.query('SELECT 1 FROM ledger_transfers WHERE id = $1', [id])
    expect(rows).toHaveLength(cost === 0n ? 0 : 1)
  })

  it('[P4] [MONEY-09] a charge and refunds at once: whichever came first stands, and all hear of it', async () => {
    const caller = await accounts.createClient()
    const id = await holdOf(caller, parseUsd('3'))
    const costs = await Promise.all(
      Array.from({ length: 10 }, (_, turn) =>
        queues(4_000).settle(settleEntry({ ...caller, id }, turn % 2 === 0 ? parseUsd('2') : zeroUsd)),
      ),
    )
    const [first] = costs
    expect(new Set(costs.map(({ cost }) => cost)).size).toBe(1)
    expect(await accounts.walletOf(caller.walletId)).toMatchObject({
      held: '0',
      charged: formatUsd(first?.cost ?? zeroUsd),
    })
  })

  it('[P4] a spooled settle replayed ten times has one effect', async () => {
    const caller = await accounts.createClient()
    const id = await holdOf(caller, parseUsd('3'))
    const entry = settleEntry({ ...caller, id }, parseUsd('2'))
    await money.settle(entry)
    for (let turn = 0; turn < 10; turn += 1) {
      await spool.append(entry)
      await spool.replay()
    }
    expect(await accounts.walletOf(caller.walletId)).toEqual({ balance: '23', held: '0', charged: '2' })
  })

  it('[HOLD-15] a settle after its lease had lapsed is still charged, once', async () => {
    const caller = await accounts.createClient()
    const id = await holdOf(caller, parseUsd('3'))
    await database.pool.query("UPDATE holds SET lease_until = now() - interval '1 minute' WHERE id = $1", [id])
    expect(await sweepHolds(database.pool, 500)).toBe(1)
    expect(await accounts.walletOf(caller.walletId)).toMatchObject({ held: '0', charged: '0' })
    await money.settle(settleEntry({ ...caller, id }, parseUsd('2')))
    expect(await accounts.walletOf(caller.walletId)).toEqual({ balance: '23', held: '0', charged: '2' })
  })
})

describe('[P11] a deadlock with a foreign transaction', () => {
  it('loses no settle', async () => {
    const [one, other] = [await accounts.createClient(), await accounts.createClient()]
    const ids = [await holdOf(one, parseUsd('3')), await holdOf(other, parseUsd('3'))]
    const before = await deadlocks()
    await duringDeadlock(one, other, async () => {
      await Promise.all([
        money.settle(settleEntry({ ...one, id: ids[0] ?? '' }, parseUsd('1'))),
        money.settle(settleEntry({ ...other, id: ids[1] ?? '' }, parseUsd('2'))),
      ])
    })
    expect(spooled).toEqual([])
    expect(await accounts.walletOf(one.walletId)).toEqual({ balance: '24', held: '0', charged: '1' })
    expect(await accounts.walletOf(other.walletId)).toEqual({ balance: '23', held: '0', charged: '2' })
    await expect.poll(deadlocks).toBeGreaterThan(before)
  })

  it('places each hold once', async () => {
    const [one, other] = [await accounts.createClient(), await accounts.createClient()]
    const before = await deadlocks()
    await duringDeadlock(one, other, async () => {
      await Promise.all([holdOf(one, parseUsd('3')), holdOf(other, parseUsd('4'))])
    })
    expect(await accounts.walletOf(one.walletId)).toMatchObject({ held: '3' })
    expect(await accounts.walletOf(other.walletId)).toMatchObject({ held: '4' })
    await expect.poll(deadlocks).toBeGreaterThan(before)
  })

  it('that outlasts the deadline leaves the settle in the spool, and it is replayed', async () => {
    const [one, other] = [await accounts.createClient(), await accounts.createClient()]
    const hasty = queues(200)
    await duringDeadlock(one, other, async () => {
      const ids = [newUuid(Date.now()), newUuid(Date.now())]
      await Promise.all([
        hasty.settle(settleEntry({ ...one, id: ids[0] ?? '' }, parseUsd('1'))),
        hasty.settle(settleEntry({ ...other, id: ids[1] ?? '' }, parseUsd('2'))),
      ])
    })
    expect(spooled).toHaveLength(2)
    await spool.replay()
    expect(await accounts.walletOf(one.walletId)).toEqual({ balance: '24', held: '0', charged: '1' })
    expect(await accounts.walletOf(other.walletId)).toEqual({ balance: '23', held: '0', charged: '2' })
  })
})

describe('one settle that Postgres can not take', () => {
  it('does not keep the others of its batch from being committed', async () => {
    const callers = await Promise.all([1, 2, 3].map(() => accounts.createClient()))
    const entries = callers.map((caller, position) =>
      settleEntry({ ...caller, id: newUuid(Date.now()) }, position === 1 ? nanoUsd(10n ** 20n) : parseUsd('1')),
    )
    await Promise.all(entries.map((entry) => money.settle(entry)))
    expect(spooled).toHaveLength(1)
    const charged = await Promise.all(callers.map(async ({ walletId }) => (await accounts.walletOf(walletId)).charged))
    expect(charged).toEqual(['1', '0', '1'])
    await spool.replay()
    expect(await readFile(join(folder, 'rejected.ndjson'), 'utf8')).toContain(entries[1]?.record.id)
  })
})

describe('a hold that is granted after its caller was refused', () => {
  it('[P2] does not wait for its lease to run out', async () => {
    const caller = await accounts.createClient()
    const blocker = await database.pool.connect()
    await blocker.query('BEGIN')
    await blocker.query('SELECT 1 FROM wallets WHERE id = $1 FOR UPDATE', [caller.walletId])
    const request = { walletId: caller.walletId, keyId: caller.keyId, amount: parseUsd('3'), windows: [] }
    const hasty = queues(4_000, 100)
    await expect(hasty.hold({ ...request, id: newUuid(Date.now()) })).rejects.toMatchObject({
      errorName: 'storeUnavailable',
    })
    await blocker.query('COMMIT')
    blocker.release()
    await expect.poll(() => accounts.walletOf(caller.walletId)).toMatchObject({ held: '3' })
    await expect.poll(() => sweepHolds(database.pool, 500)).toBe(1)
    expect(await accounts.walletOf(caller.walletId)).toEqual({ balance: '25', held: '0', charged: '0' })
  })
})

describe('a batch of holds that was committed though its answer was lost', () => {
  it('is not placed twice when it is sent again', async () => {
    const caller = await accounts.createClient()
    const blocker = await database.pool.connect()
    await blocker.query('BEGIN')
    await blocker.query('SELECT 1 FROM wallets WHERE id = $1 FOR UPDATE', [caller.walletId])
    const held = holdOf(caller, parseUsd('3'))
    // The queue's own connection is cut while its statement waits.
    await expect
      .poll(async () => {
        const { rowCount } = await database.pool.query(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'weir holds' AND wait_event_type = 'Lock' AND datname = current_database()",
        )
        return rowCount
      })
      .toBe(1)
    await blocker.query('COMMIT')
    blocker.release()
    await held
    expect(await accounts.walletOf(caller.walletId)).toMatchObject({ held: '3' })
  })
})

async function waitingLocks(): Promise<number> {
  const { rows } = await database.pool.query<{ waiting: number }>(
    "SELECT count(*)::integer AS waiting FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
  )
  return rows[0]?.waiting ?? 0
}

async function deadlocks(): Promise<number> {
  // The counter is flushed when a backend goes idle, at most once per second.
  const { rows } = await database.pool.query<{ deadlocks: number }>(
    'SELECT deadlocks::integer FROM pg_stat_database WHERE datname = current_database()',
  )
  return rows[0]?.deadlocks ?? 0
}

/** Locks two wallets against the order of the queues during an action, so that one of the two must be cancelled. */
async function duringDeadlock(first: TestClient, second: TestClient, act: () => Promise<void>): Promise<void> {
  const [low, high] = [first.walletId, second.walletId].toSorted()
  const foreign: PoolClient = await database.pool.connect()
  try {
    // The queue detects the deadlock, because this side waits for much longer.
    await foreign.query("SET deadlock_timeout = '60s'")
    await foreign.query('BEGIN')
    await foreign.query('SELECT 1 FROM wallets WHERE id = $1 FOR UPDATE', [high])
    const acting = act()
    await expect.poll(() => waitingLocks()).toBeGreaterThan(0)
    await foreign.query('SELECT 1 FROM wallets WHERE id = $1 FOR UPDATE', [low])
    await foreign.query('COMMIT')
    await acting
  } finally {
    foreign.release(true)
  }
}
