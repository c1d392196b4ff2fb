import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from 'pg'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { insertAfterWrites } from '#test/simulators/scenarios/change-steps.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { vendorCompletion } from '#test/simulators/scenarios/vendor-completion.ts'
import type { Scenario } from '#test/simulators/scenario.ts'
import { costTextOf, type MoneyWorld, startMoneyWorld } from './money-world.ts'

let world: MoneyWorld
let dataDir: string
let engine: Client

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'weir-away-'))
  world = await startMoneyWorld({ WEIR_DATA_DIR: dataDir })
  engine = new Client({ connectionString: Object.assign(new URL(world.databaseUrl), { pathname: '/postgres' }).href })
  await engine.connect()
})
afterAll(async () => {
  await allowConnections(true)
  await engine.end()
  await world.close()
  await rm(dataDir, { recursive: true, force: true })
})
beforeEach(() => world.upstream.forget())

const gated: Scenario = {
  kind: 'by-request',
  stream: insertAfterWrites(goodStream({}), 3, { do: 'gate', name: 'g' }),
  json: {
    kind: 'steps',
    steps: [
      { do: 'gate', name: 'g' },
      ...vendorCompletion('openai', { kind: 'text', pieces: ['Hi'], usage: { prompt: 16, completion: 3 } }).steps,
    ],
  },
}

it.each([false, true])(
  '[P12] a request that runs while Postgres goes away ends well and is charged, stream: %s',
  async (stream) => {
    const caller = await world.createClient()
    world.upstream.play(gated)
    const reply = world.call(caller, { stream })
    await world.upstream.waitForGate('g')
    await takePostgresAway()
    const failedBefore = replaysFailed()
    world.upstream.release('g')
    expect(costTextOf(await reply)).toBe('0.00006')
    // The charge is on disk before the cost is shown.
    const [line] = await spooledLines()
    expect(line).toContain('"cost":{"$nano":"60000"}')

    // At least one replay fails meanwhile, which must not lose the line.
    await expect.poll(() => replaysFailed()).toBeGreaterThan(failedBefore)
    await allowConnections(true)
    await expect
      .poll(() => world.walletOf(caller.walletId))
      .toEqual({
        balance: '24.99994',
        held: '0',
        charged: '0.00006',
      })
    await expect.poll(spooledLines).toEqual([])
    expect(await readdir(join(dataDir, 'spool'))).not.toContain('rejected.ndjson')
    await world.expectSoundBooks()
  },
)

it('a new request while Postgres is away is refused with 503, never 401, and reaches no upstream', async () => {
  const caller = await world.createClient()
  world.upstream.play({ kind: 'echo' })
  expect((await world.call(caller, {})).status).toBe(200)
  world.upstream.forget()
  await takePostgresAway()
  const reply = await world.call(caller, {})
  expect(reply.status).toBe(503)
  // The hold stage sets the header, or an earlier stage if the key is no longer cached.
  expect(reply.headers.get('retry-after')).toMatch(/^[12]$/)
  expect(world.upstream.requests).toHaveLength(0)
  await allowConnections(true)
  await expect.poll(async () => (await world.call(caller, {})).status).toBe(200)
  await world.expectSoundBooks()
})

function replaysFailed(): number {
  return world.logLines.filter((line) => line.includes("can't be replayed yet")).length
}

async function takePostgresAway(): Promise<void> {
  await allowConnections(false)
  await engine.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1 AND application_name LIKE 'weir%'",
    [databaseName()],
  )
}

async function allowConnections(allowed: boolean): Promise<void> {
  await engine.query(`ALTER DATABASE ${databaseName()} ALLOW_CONNECTIONS ${allowed}`)
}

function databaseName(): string {
  return new URL(world.databaseUrl).pathname.slice(1)
}

async function spooledLines(): Promise<string[]> {
  const folder = join(dataDir, 'spool')
  const names = await readdir(folder).catch(() => [])
  const texts = await Promise.all(
    names
      .filter((name) => name !== 'rejected.ndjson')
      .map((name) => readFile(join(folder, name), 'utf8').catch(() => '')),
  )
  return texts.flatMap((text) => text.split('\n')).filter((line) => line !== '')
}
