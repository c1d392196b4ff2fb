import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { newUuid } from '#lib/uuid.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import { createPool } from '#store/postgres/create-pool.ts'
import { isDataFault } from '#store/postgres/faults.ts'
import { createPostgresMoney, type MoneyQueues, settleDistinct } from '#store/postgres/money/postgres-money.ts'
import { createPools, type PostgresPools } from '#store/postgres/pools.ts'
import { prepareDatabase } from '#store/postgres/schema/prepare-database.ts'
import { createSettleSpool, type SettleSpool } from '#store/spool/settle-spool.ts'
import { createPrivatePostgres, type PrivatePostgres } from '#test/drills/setup/private-postgres.ts'
import { createAccounts, type TestClient } from '#test/setup/accounts.ts'
import { findEngineFolder } from '#test/setup/find-engine-folder.ts'
import { settleEntry } from './settles.ts'

// The tests build on each other and share two servers: the first is the primary until it dies, then the second is.
let first: PrivatePostgres
let second: PrivatePostgres
let pools: PostgresPools
let folder: string
let spool: SettleSpool
let money: MoneyQueues
let caller: TestClient
const spooled: unknown[] = []
const cost = nanoUsd(60_000n)

beforeAll(async () => {
  const parentFolder = await findEngineFolder()
  first = await createPrivatePostgres({ parentFolder })
  second = await createPrivatePostgres({ parentFolder, standbyOf: first })
  // The standby comes first in the URL, and is skipped.
  const url = `postgres://postgres@127.0.0.1:${second.port},127.0.0.1:${first.port}/postgres`
  // A busy machine may respond slowly, and nothing here is judged by time.
  pools = createPools({ url, poolMax: 4, connectTimeoutMs: 120_000, onError: () => {} })
  await prepareDatabase(pools.general, join(import.meta.dirname, '../../sql'))
  caller = await createAccounts(pools.general, { secret: 'x'.repeat(32), refresh: async () => {} }).createClient()
  folder = await mkdtemp(join(tmpdir(), 'weir-failover-'))
  spool = createSettleSpool({
    folder,
    settle: (entries) => settleDistinct(pools.settles, entries),
    isFinal: isDataFault,
    onRejected: () => {},
  })
  money = queues(60_000)
})
afterAll(async () => {
  await pools?.close()
  await Promise.all([first?.remove(), second?.remove()])
  await rm(folder, { recursive: true, force: true })
})

function queues(settleDeadlineMs: number): MoneyQueues {
  const { holds: holdPool, settles: settlePool } = pools
  const deadlines = { leaseMs: 60_000, holdDeadlineMs: 60_000, settleDeadlineMs }
  return createPostgresMoney({ holdPool, settlePool, spool, ...deadlines, onSpooled: (error) => spooled.push(error) })
}

async function holdOne(): Promise<string> {
  const id = newUuid(Date.now())
  const { walletId, keyId } = caller
  expect(await money.hold({ id, walletId, keyId, amount: cost, windows: [] })).toMatchObject({ allowed: true })
  return id
}

async function countOf(pool: Pool, id: string, table: 'holds' | 'generations' | 'ledger_transfers'): Promise<number> {
  const { rows } = await pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM ${table} WHERE id = $1`,
    [id],
  )
  return rows[0]?.count ?? -1
}

async function configure(pool: Pool, setting: string): Promise<void> {
  await pool.query(`ALTER SYSTEM SET ${setting}`)
  await pool.query('SELECT pg_reload_conf()')
}

async function waitingForStandby(pool: Pool): Promise<number[]> {
  const { rows } = await pool.query<{ pid: number }>("SELECT pid FROM pg_stat_activity WHERE wait_event = 'SyncRep'")
  return rows.map(({ pid }) => pid)
}

it('of several servers every pool takes the one that takes writes', async () => {
  for (const pool of [pools.general, pools.holds, pools.settles, pools.sums]) {
    expect((await pool.query('SELECT inet_server_port() AS port')).rows).toEqual([{ port: first.port }])
  }
})

it('no limit on statements cancels the wait of a settle for the standby, which would acknowledge it', async () => {
  await pools.general.query("ALTER DATABASE postgres SET statement_timeout = '1min'")
  const limited = createPools({ url: first.url, poolMax: 1, onError: () => {} })
  expect((await limited.settles.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '0' }])
  expect((await limited.general.query('SHOW statement_timeout')).rows).toEqual([{ statement_timeout: '1min' }])
  await limited.close()
})

it('a settle that the standby lacks is acknowledged by nobody, not even when it is sent again', async () => {
  await configure(pools.general, "synchronous_standby_names = '*'")
  await second.crash()
  const direct = createPool({ connectionString: first.url, max: 2, onError: () => {} })
  try {
    // Holds do not wait for a standby.
    const id = await holdOne()
    const settling = queues(500).settle(settleEntry({ id, ...caller }, cost))
    await expect.poll(() => waitingForStandby(direct)).toHaveLength(1)
    expect(await settling).toEqual({ cost, absorbed: 0n })
    expect(spool.waiting).toBe(1)

    // Cancelling such a wait makes the charge visible here, although the standby still lacks it.
    const [pid] = await waitingForStandby(direct)
    await direct.query('SELECT pg_terminate_backend($1)', [pid])
    await expect.poll(() => countOf(direct, id, 'ledger_transfers')).toBe(1)
    let isReplayed = false
    const replaying = spool.replay().then(() => {
      isReplayed = true
    })
    await expect.poll(() => waitingForStandby(direct)).toHaveLength(1)
    expect(isReplayed).toBe(false)
    await second.start()
    await replaying
    expect(spool.waiting).toBe(0)
    expect(await countOf(direct, id, 'ledger_transfers')).toBe(1)
  } finally {
    await direct.end()
  }
})

it('holds that a failover loses release money, and their charges are booked by the new primary', async () => {
  await second.crash()
  const ids = [await holdOne(), await holdOne()]
  await first.crash()
  await second.start()
  await second.promote()
  expect(await pools.general.query('SELECT inet_server_port() AS port')).toMatchObject({
    rows: [{ port: second.port }],
  })
  await configure(pools.general, "synchronous_standby_names = ''")
  expect(await Promise.all(ids.map((id) => countOf(pools.general, id, 'holds')))).toEqual([0, 0])
  const [settled = '', refused = ''] = ids
  expect(await money.settle(settleEntry({ id: settled, ...caller }, cost))).toEqual({ cost, absorbed: 0n })
  expect(await countOf(pools.general, settled, 'ledger_transfers')).toBe(1)
  expect(await countOf(pools.general, refused, 'ledger_transfers')).toBe(0)
  expect((await pools.general.query('SELECT held_nano, charged_nano FROM wallets')).rows).toEqual([
    { held_nano: '0', charged_nano: '120000' },
  ])
  expect(await auditLedger(pools.general, { overdueMs: 0 })).toEqual([])
})

it('a server that turned read-only counts as away: holds are refused, settles spooled, connections dropped', async () => {
  const id = await holdOne()
  spooled.length = 0
  await configure(pools.general, 'default_transaction_read_only = on')
  // Open connections learn of it one by one, and stay open.
  for (const pool of [pools.holds, pools.settles]) {
    await expect
      .poll(async () => (await pool.query('SHOW transaction_read_only')).rows[0])
      .toEqual({ transaction_read_only: 'on' })
  }
  const { walletId, keyId } = caller
  await expect(
    money.hold({ id: newUuid(Date.now()), walletId, keyId, amount: cost, windows: [] }),
  ).rejects.toMatchObject({ errorName: 'storeUnavailable', inside: expect.stringContaining('is read-only') })
  await money.settle(settleEntry({ id, ...caller }, cost))
  expect(spooled).toMatchObject([
    { code: 'NO_PRIMARY', message: expect.stringContaining(`${second.port} is read-only`) },
  ])
  expect([pools.holds.totalCount, pools.settles.totalCount]).toEqual([0, 0])

  const direct = createPool({ connectionString: second.url, max: 1, onError: () => {} })
  await configure(direct, 'default_transaction_read_only = off')
  await direct.end()
  await expect.poll(() => spool.replay().catch(() => 0)).toBe(1)
  expect(await countOf(pools.general, id, 'ledger_transfers')).toBe(1)
  expect(await auditLedger(pools.general, { overdueMs: 0 })).toEqual([])
})
