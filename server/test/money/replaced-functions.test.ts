import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { migrate } from '#store/postgres/schema/migrate.ts'
import { readSchemaState } from '#store/postgres/schema/read-schema-state.sql.ts'
import { readSchemaSource } from '#store/postgres/schema/schema-source.ts'
import type { TestClient } from '#test/setup/accounts.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import { type MoneyWorld, startMoneyWorld } from './money-world.ts'

const sqlFolder = join(import.meta.dirname, '../../sql')

const holding = ['place_hold', 'place_holds', 'place_plain_holds']
const settling = ['settle_generations', 'settle_plain_generation', 'settle_plain_generations']

let world: MoneyWorld
let folder: string

beforeAll(async () => {
  world = await startMoneyWorld()
  const usage = { prompt: 1_000, completion: 500 }
  world.upstream.play(vendorCompletion('openai', { kind: 'text', pieces: ['Hi'], usage }))
  folder = await mkdtemp(join(tmpdir(), 'weir-sql-'))
  await cp(sqlFolder, folder, { recursive: true })
})
afterAll(async () => {
  await rm(folder, { recursive: true })
  await world.close()
})

it('money functions are replaced under traffic: no call fails, one definition settles each, and the books agree', async () => {
  const callers = await Promise.all([1, 2, 3, 4].map(() => world.createClient({ usd: '100' })))
  const traffic = startTraffic(callers)
  await expect.poll(() => traffic.statuses.length).toBeGreaterThanOrEqual(8)

  const { settledByFirst, release } = await stopSettles()
  await changeFunctions()
  const { functions } = await migrate(world.pool, folder).finally(release)
  expect(functions.toSorted()).toEqual([...holding, ...settling])
  const endedAtChange = traffic.statuses.length
  await expect.poll(() => traffic.statuses.length).toBeGreaterThanOrEqual(endedAtChange + 8)
  await traffic.stop()

  expect(new Set(traffic.statuses)).toEqual(new Set([200]))
  await world.expectSoundBooks()
  const { first, second } = await countCharges()
  // The running settlement ended with the definition that it started with.
  expect(first).toBeGreaterThan(settledByFirst)
  expect([second > 0, first + second]).toEqual([true, traffic.statuses.length])
  // The serving gateway stays ready with the definitions that it knows.
  expect(await readSchemaState(world.pool, await readSchemaSource(sqlFolder))).toBe('current')

  const late = await world.createClient()
  expect((await world.call(late, { max_tokens: 500 })).status).toBe(200)
  await world.settled()
  expect(await countCharges()).toEqual({ first, second: second + 1 })
})

/** Every client sends requests one after another until it is stopped. */
function startTraffic(callers: readonly TestClient[]) {
  const statuses: number[] = []
  const stopping = new AbortController()
  const loops = callers.map(async (caller) => {
    while (!stopping.signal.aborted) statuses.push((await world.call(caller, { max_tokens: 500 })).status)
  })
  return {
    statuses,
    stop: async () => {
      stopping.abort()
      await Promise.all(loops)
    },
  }
}

/** Blocks settlements midway: resolves once one waits within its function. Holds continue. */
async function stopSettles() {
  const client = await world.pool.connect()
  await client.query('BEGIN')
  await client.query('LOCK TABLE ledger_transfers IN SHARE MODE')
  const { first } = await countCharges()
  const waiting = `SELECT 1 FROM pg_locks l JOIN pg_stat_activity a USING (pid)
    WHERE NOT l.granted AND l.relation = 'ledger_transfers'::regclass AND a.query ~ 'settle_(plain_)?generation'`
  await expect.poll(async () => (await world.pool.query(waiting)).rowCount).toBeGreaterThan(0)
  return {
    settledByFirst: first,
    release: async () => {
      await client.query('COMMIT')
      client.release()
    },
  }
}

/** The second definition of settling leaves a note in the ledger. */
async function changeFunctions(): Promise<void> {
  for (const name of settling) {
    await change(name, (text) =>
      text
        .replace('amount_nano, balance_after_nano)', 'amount_nano, balance_after_nano, note)')
        .replace('entry.cost_nano, balance)', `entry.cost_nano, balance, 'second')`)
        .replace(/\)::bigint(?=\n {4}FROM (?:fresh f|closed c) )/, `)::bigint, 'second'`),
    )
  }
  for (const name of holding)
    await change(name, (text) => text.replace('BEGIN\n', 'BEGIN\n  -- The second definition.\n'))
}

async function change(name: string, edit: (text: string) => string): Promise<void> {
  const path = join(folder, 'functions', `${name}.sql`)
  const text = await readFile(path, 'utf8')
  await writeFile(path, edit(text))
}

async function countCharges(): Promise<{ first: number; second: number }> {
  const { rows } = await world.pool.query<{ first: number; second: number }>(
    `SELECT count(*) FILTER (WHERE note IS NULL)::integer AS first, count(*) FILTER (WHERE note = 'second')::integer AS second
     FROM ledger_transfers WHERE kind = 'charge'`,
  )
  return rows[0] ?? { first: 0, second: 0 }
}
