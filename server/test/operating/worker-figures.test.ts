import { Pool } from 'pg'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { newUuid } from '#lib/uuid.ts'
import { readDebt, readWorkerFigures } from '#store/postgres/reconciliation/worker-figures.sql.ts'
import { createCommandPool, createPools } from '#store/postgres/pools.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'

let database: TestDatabase
/** One connection, so that a transaction spans its statements. */
let lone: Pool

beforeAll(async () => {
  database = await createTestDatabase()
  lone = new Pool({ connectionString: database.url, max: 1 })
  await database.pool.query(`INSERT INTO wallets (id, owner_kind, owner_id, balance_nano, credit_line_nano)
    SELECT gen_random_uuid(), 'user', gen_random_uuid(), balance, line
    FROM (VALUES (5000000000, 0), (-1500000000, 1000000000), (-2000000000, 0), (-1000000000, 1000000000),
                 (9000000000000000000, 9000000000000000000)) AS w (balance, line)`)
})
afterAll(async () => {
  await lone.end()
  await database.drop()
})

/** The changes to a table by the statements of one transaction, as Postgres counts them. */
async function countsOf(table: string, work: () => Promise<unknown>): Promise<Record<string, number>> {
  await lone.query('BEGIN')
  try {
    await work()
    const { rows } = await lone.query<Record<string, number>>(
      `SELECT (coalesce(seq_scan, 0) + coalesce(idx_scan, 0))::integer AS scans, n_tup_upd::integer AS updated,
              n_tup_hot_upd::integer AS heap_only FROM pg_stat_xact_user_tables WHERE relname = $1`,
      [table],
    )
    return rows[0] ?? {}
  } finally {
    await lone.query('ROLLBACK')
  }
}

it('the figures of every scrape read no wallet', async () => {
  expect(await countsOf('wallets', () => readWorkerFigures(lone))).toMatchObject({ scans: 0 })
  // Proves that the count detects a scan.
  expect(await countsOf('wallets', () => readDebt(lone))).toMatchObject({ scans: 1 })
})

it('neither the worker nor a command lets Postgres compile them, which takes a thousand times as long as they do', async () => {
  const { general, close } = createPools({ url: database.url, poolMax: 1, onError: () => {} })
  const command = createCommandPool(database.url)
  for (const pool of [general, command]) expect((await pool.query('SHOW jit')).rows).toEqual([{ jit: 'off' }])
  await Promise.all([close(), command.end()])
})

async function pendingMails(): Promise<unknown[]> {
  return (await readWorkerFigures(database.pool)).filter(({ figure }) => figure === 'mails')
}

async function addMail(due: string, error: string | null): Promise<void> {
  const text = `INSERT INTO mail_outbox (id, class, name, address, subject, body, expires_at, due_at, last_error)
    VALUES (gen_random_uuid(), 'billing', gen_random_uuid(), 'a@b.test', '', '', now(), ${due}, $1)`
  await database.pool.query(text, [error])
}

it('emails are waiting until they are sent or given up, and retrying after a failed attempt', async () => {
  expect(await pendingMails()).toEqual([
    { figure: 'mails', label: 'waiting', value: 0 },
    { figure: 'mails', label: 'retrying', value: 0 },
  ])
  await addMail('now()', null)
  await addMail("now() + interval '1 hour'", 'ESOCKET')
  await addMail("now() + interval '1 hour'", 'ESOCKET')
  await addMail('NULL', 'no_mail_server')
  await addMail('NULL', null)
  expect(await pendingMails()).toEqual([
    { figure: 'mails', label: 'waiting', value: 1 },
    { figure: 'mails', label: 'retrying', value: 2 },
  ])
})

it('debt is what wallets owe beyond their credit lines', async () => {
  expect(await readDebt(database.pool)).toEqual([{ figure: 'debt', label: '', value: 2.5 }])
})

it('no index of wallets names what a charge changes, so that Postgres updates them in place', async () => {
  const change = `UPDATE wallets SET balance_nano = balance_nano - 1, held_nano = held_nano + 1, charged_nano = charged_nano + 1
    WHERE balance_nano = 5000000000`
  expect(await countsOf('wallets', () => lone.query(change))).toMatchObject({ updated: 1, heap_only: 1 })
})

async function lag(): Promise<number | undefined> {
  return (await readWorkerFigures(database.pool)).find(({ figure }) => figure === 'webhook_lag')?.value
}

async function add(due: string): Promise<void> {
  const text = `INSERT INTO webhook_deliveries (id, wallet_id, url, body, attempts, due_at)
    VALUES ($1, $1, 'http://a', '{}', 1, ${due})`
  await database.pool.query(text, [newUuid(Date.now())])
}

it('webhook calls are late since they were due, and not while they wait for their next try', async () => {
  expect(await lag()).toBe(0)
  await add('NULL')
  await add("clock_timestamp() + interval '1 hour'")
  expect(await lag()).toBe(0)
  await add("clock_timestamp() - interval '1 hour'")
  expect(await lag()).toBeGreaterThanOrEqual(3_600)
})
