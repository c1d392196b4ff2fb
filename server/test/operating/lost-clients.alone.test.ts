import { Client, type Pool, type PoolClient } from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { GatewayError } from '#errors/gateway-error.ts'
import { createPostgresEventCursors } from '#store/postgres/events/postgres-event-cursors.ts'
import { refuseWhenAway } from '#store/postgres/faults.ts'
import { createPools, type PostgresPools } from '#store/postgres/pools.ts'
import { inTransaction } from '#store/postgres/with-client.ts'
import { watchPool } from '#store/sign-in/watch-pool.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'

let database: TestDatabase
let pools: PostgresPools
let engine: Client
const escaped: string[] = []

beforeAll(async () => {
  process.on('uncaughtExceptionMonitor', (error) => escaped.push(error.message))
  database = await createTestDatabase()
  pools = createPools({ url: database.url, poolMax: 2, onError: () => {} })
  engine = new Client({ connectionString: database.url })
  await engine.connect()
  await engine.query('CREATE TABLE steps (step text)')
})
afterEach(async () => {
  // Any error of a lost connection has been thrown by now.
  await turns(3)
  expect(escaped.splice(0)).toEqual([])
})
afterAll(async () => {
  await pools.close()
  await engine.end()
  await database.drop()
})

type Work = (client: PoolClient) => Promise<unknown>
const note = (client: PoolClient, step: string) => client.query('INSERT INTO steps VALUES ($1)', [step])
const refusal = new GatewayError('conflict', { message: 'A refusal of our own.' })

const steps: readonly [string, Work, string][] = [
  ['after BEGIN', (client) => lose(client).then(() => note(client, 'one')), 'storeUnavailable'],
  ['after BEGIN, idle', (client) => lose(client, 'seen').then(() => note(client, 'one')), 'storeUnavailable'],
  [
    'inside of a statement',
    (client) => client.query('SELECT pg_terminate_backend(pg_backend_pid()), pg_sleep(60)'),
    'storeUnavailable',
  ],
  [
    'between two statements',
    async (client) => {
      await note(client, 'one')
      await lose(client)
      await note(client, 'two')
    },
    'storeUnavailable',
  ],
  [
    'between two statements, idle',
    async (client) => {
      await note(client, 'one')
      await lose(client, 'seen')
      await note(client, 'two')
    },
    'storeUnavailable',
  ],
  ['before COMMIT', (client) => note(client, 'one').then(() => lose(client)), 'storeUnavailable'],
  ['before COMMIT, idle', (client) => note(client, 'one').then(() => lose(client, 'seen')), 'storeUnavailable'],
  [
    'during ROLLBACK',
    async (client) => {
      await note(client, 'one')
      await lose(client)
      throw refusal
    },
    'conflict',
  ],
  [
    'before ROLLBACK, idle',
    async (client) => {
      await note(client, 'one')
      await lose(client, 'seen')
      throw refusal
    },
    'conflict',
  ],
]

describe('[B2] a transaction whose backend is terminated', () => {
  it.each(steps)(
    '%s: the process lives, the caller gets a refusal, and the next one works',
    async (step, work, name) => {
      const lost = refuseWhenAway(inTransaction(pools.general, 'READ COMMITTED', work))
      await expect(lost).rejects.toMatchObject({ errorName: name })
      await inTransaction(pools.general, 'READ COMMITTED', (client) => note(client, `after: ${step}`))
      const { rows } = await engine.query<{ step: string }>('DELETE FROM steps RETURNING step')
      expect(rows).toEqual([{ step: `after: ${step}` }])
    },
  )
})

it('[B2] a turn of an event sink that loses its backend ends with an error, and the next one has the lock', async () => {
  const cursors = createPostgresEventCursors(pools.general)
  await cursors.keep(['otlp'], { fromStart: true })
  await engine.query('UPDATE rollup_state SET rolled_up_below = 9')
  const lost = cursors.withTurn('otlp', async (turn) => {
    await terminateAll('weir')
    await turns(3)
    return turn.read(1)
  })
  await expect(lost).rejects.toThrow(/terminat|connection/i)
  expect(await cursors.withTurn('otlp', async () => 'mine')).toBe('mine')
})

it('[B2] a client that the sign-in library holds may vanish, and what the library made of it becomes a 503', async () => {
  const watched = watchPool(pools.general)
  const lost = watched.run(async () => {
    const client = await watched.pool.connect()
    await lose(client, 'seen')
    await client.query('SELECT 1').catch(() => {})
    client.release()
  })
  await expect(lost).rejects.toMatchObject({ errorName: 'storeUnavailable' })
  expect(await watched.run(() => firstOf(watched.pool))).toEqual({ one: 1 })
})

it('[B2] clients that wait in a pool may vanish all at once', async () => {
  const { general, holds, settles, sums } = pools
  for (const pool of [general, holds, settles, sums]) await firstOf(pool)
  await terminateAll('weir%')
  await turns(3)
  for (const pool of [general, holds, settles, sums]) expect(await firstOf(pool)).toEqual({ one: 1 })
})

it('[B2] a database that takes no connections is away, and no fault of a statement', async () => {
  const name = new URL(database.url).pathname.slice(1)
  const other = new Client({ connectionString: database.url.replace(name, 'postgres') })
  await other.connect()
  await other.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS false`)
  await terminateAll('weir%')
  await expect(refuseWhenAway(firstOf(pools.general))).rejects.toMatchObject({ errorName: 'storeUnavailable' })
  await other.query(`ALTER DATABASE ${name} ALLOW_CONNECTIONS true`)
  await other.end()
  expect(await firstOf(pools.general)).toEqual({ one: 1 })
})

/** Terminates the backend of a client; `seen` waits until the client has noticed. */
async function lose(client: PoolClient, until: 'told' | 'seen' = 'told'): Promise<void> {
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()))
  const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')
  await engine.query('SELECT pg_terminate_backend($1)', [rows[0]?.pid])
  if (until === 'seen') await ended
}

async function terminateAll(name: string): Promise<void> {
  await engine.query(
    `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE $1 AND pid <> pg_backend_pid()`,
    [name],
  )
}

async function firstOf(pool: Pool): Promise<unknown> {
  return (await pool.query('SELECT 1 AS one')).rows[0]
}

/** Round trips to Postgres: everything that its backends sent before has arrived too. */
async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await engine.query('SELECT 1')
}
