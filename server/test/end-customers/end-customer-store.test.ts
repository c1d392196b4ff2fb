import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import { newUuid } from '#lib/uuid.ts'
import { buildSearchIndexes } from '#store/postgres/customers/search-indexes.sql.ts'
import { createEndCustomers } from '#store/postgres/end-customers/postgres-end-customers.ts'
import { purgeWindows } from '#store/postgres/money/spend-windows.sql.ts'
import { erasePerson } from '#store/postgres/people/erase-person.ts'
import { recordStatements } from '#test/bench/usage/recording-pool.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { dayMs } from '#test/setup/day.ts'
import { rowsRead } from '#test/setup/rows-seen.ts'

const nowMs = Date.now()
const noLimits = { day: null, month: null, total: null }

let database: TestDatabase
beforeAll(async () => {
  database = await createTestDatabase()
})
afterAll(() => database.drop())

const storeOf = (customersMax = 1_000) => createEndCustomers(database.pool, { nowMs: () => nowMs, customersMax })

async function newOwner() {
  const [userId, walletId] = [newUuid(nowMs), newUuid(nowMs)]
  await database.pool.query('INSERT INTO users (id, email, name) VALUES ($1::uuid, $1 || $2, $2)', [
    userId,
    '@example.com',
  ])
  await database.pool.query(`INSERT INTO wallets (id, owner_kind, owner_id) VALUES ($1, 'user', $2)`, [
    walletId,
    userId,
  ])
  return { userId, walletId, account: { kind: 'user', userId } as const }
}

async function countsOf(walletId: string): Promise<{ counted: string; stored: string }> {
  const { rows } = await database.pool.query<{ counted: string; stored: string }>(
    `SELECT (SELECT customers FROM end_customer_counts WHERE wallet_id = $1) AS counted,
       (SELECT count(*) FROM end_customers WHERE wallet_id = $1) AS stored`,
    [walletId],
  )
  return rows[0] ?? { counted: '', stored: '' }
}

describe('creating customers', () => {
  it('[NEXT-11] counts each once, even if several processes create it at the same time', async () => {
    const { walletId } = await newOwner()
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, at) => storeOf().findOrCreate(walletId, `c${at % 4}`)),
    )
    expect(new Set(made.map(({ id }) => id)).size).toBe(4)
    expect(await countsOf(walletId)).toEqual({ counted: '4', stored: '4' })
  })

  it('[NEXT-11] never exceeds the maximum of a wallet', async () => {
    const { walletId } = await newOwner()
    const made = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => storeOf(5).findOrCreate(walletId, `c${at}`)),
    )
    expect(made.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await countsOf(walletId)).toEqual({ counted: '5', stored: '5' })
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
    for (const reason of refused) expect(reason).toMatchObject({ errorName: 'tooManyCustomers' })
  })

  it('[NEXT-12] creates none for a person who was erased, or is being erased', async () => {
    const { pool } = database
    const { userId, walletId, account } = await newOwner()
    await storeOf().findOrCreate(walletId, 'ann@example.com')
    const author = operatorAuthor(nowMs)
    const holding = await pool.connect()
    await holding.query('BEGIN')
    // The erasure waits for this row last, and locks the person first.
    await holding.query('SELECT 1 FROM end_customers WHERE wallet_id = $1 FOR UPDATE', [walletId])
    const erasing = erasePerson(pool, userId, author)
    await expect.poll(waitingForLocks).toBe(1)
    const late = storeOf()
      .findOrCreate(walletId, 'bob@example.com')
      .then(() => 'created')
      .catch((error: unknown) => error)
    try {
      await expect.poll(waitingForLocks).toBe(2)
    } finally {
      await holding.query('COMMIT')
      holding.release()
      await erasing
    }
    expect(await late).toMatchObject({ errorName: 'accountSuspended' })
    const customer = { id: newUuid(nowMs), externalId: 'cat', name: null, limits: noLimits }
    await expect(storeOf().create(account, customer, author)).rejects.toMatchObject({ errorName: 'accountSuspended' })
    const { rows } = await pool.query('SELECT 1 FROM end_customers WHERE wallet_id = $1 AND external_id <> id::text', [
      walletId,
    ])
    expect(rows).toEqual([])
  })
})

async function waitingForLocks(): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `SELECT count(*)::integer AS count FROM pg_stat_activity
     WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  )
  return rows[0]?.count ?? 0
}

describe('a page of customers', () => {
  const limit = 20
  const page = { sort: 'created', descending: true, search: null, after: null, limit } as const

  it.each([
    ['the first', {}, limit, 150],
    ['the oldest', { descending: false }, limit, 150],
    ['one further down', { after: { value: String((nowMs - 2_000 * 1_000) * 1_000), id: newUuid(nowMs) } }, limit, 150],
    ['of a prefix', { search: 'c4999' }, 1, 5_200],
  ])('[NEXT-08] %s reads the sums of its own customers alone', async (_name, wanted, shown, rowsMax) => {
    const { pool } = database
    const { walletId, account } = await newOwner()
    await pool.query(
      `WITH made AS (
         INSERT INTO end_customers (id, wallet_id, external_id, created_at)
         SELECT gen_random_uuid(), $1, 'c' || n, to_timestamp($2::bigint / 1000) - n * interval '1 second'
         FROM generate_series(1, 5000) AS n RETURNING id
       )
       INSERT INTO spend_days (kind, owner_id, day, spent_nano, requests, last_at)
       SELECT 'customer', id, current_date - d, 1000, 1, now() FROM made CROSS JOIN generate_series(0, 2) AS d`,
      [walletId, nowMs],
    )
    await pool.query('ANALYZE end_customers, spend_days, wallets')
    const recording = recordStatements(pool)
    const store = createEndCustomers(recording.pool, { nowMs: () => nowMs, customersMax: 1 })
    const { entries } = await store.list(account, { ...page, ...wanted }, nowMs)
    expect(entries).toHaveLength(shown)
    expect(entries[0]).toMatchObject({ requests: 3 })
    const [statement] = recording.statements
    if (statement === undefined) throw new Error('no statement')
    expect((await rowsRead(pool, statement)).rows).toBeLessThan(rowsMax)
    await pool.query('DELETE FROM end_customers WHERE wallet_id = $1', [walletId])
  })
})

describe('windows of customers', () => {
  it('[NEXT-13] are deleted a week after their period, unless something is held', async () => {
    const { pool } = database
    const ownerId = newUuid(nowMs)
    const windows: [kind: string, ageDays: number, held: number][] = [
      ['customer_day', 7, 0],
      ['customer_day', 9, 0],
      ['customer_day', 10, 5],
      ['customer_month', 37, 0],
      ['customer_month', 39, 0],
      ['customer_life', 500, 0],
      ['team_month', 500, 0],
    ]
    for (const [kind, ageDays, held] of windows) {
      const startsAtMs = nowMs - ageDays * dayMs
      const text = 'INSERT INTO spend_windows (kind, owner_id, starts_at, held_nano) VALUES ($1, $2, $3, $4)'
      await pool.query(text, [kind, ownerId, startsAtMs, held])
    }
    expect(await purgeWindows(pool, 500)).toBe(2)
    expect(await purgeWindows(pool, 500)).toBe(0)
    const { rows } = await pool.query<{ kind: string; age: number }>(
      'SELECT kind, (($2 - starts_at) / $3)::integer AS age FROM spend_windows WHERE owner_id = $1 ORDER BY 1, 2',
      [ownerId, nowMs, dayMs],
    )
    expect(rows.map(({ kind, age }) => `${kind} ${age}`)).toEqual([
      'customer_day 7',
      'customer_day 10',
      'customer_life 500',
      'customer_month 37',
      'team_month 500',
    ])
  })

  it('[NEXT-13] are found by an index of their own', async () => {
    const { pool } = database
    await buildSearchIndexes(pool)
    await pool.query(
      `INSERT INTO spend_windows (kind, owner_id, starts_at)
       SELECT kind, gen_random_uuid(), $1::bigint FROM unnest(ARRAY['customer_day', 'customer_month', 'key_life']) AS kind,
         generate_series(1, 20000)`,
      [nowMs],
    )
    await pool.query('ANALYZE spend_windows')
    const recording = recordStatements(pool)
    expect(await purgeWindows(recording.pool, 500)).toBe(0)
    for (const statement of recording.statements) expect((await rowsRead(pool, statement)).blocks).toBeLessThan(20)
  })
})
