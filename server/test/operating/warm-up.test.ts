import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createSampleDatabase, type TestDatabase } from '#test/setup/database.ts'
import { findLastingPort } from '#test/setup/find-lasting-port.ts'
import { patience } from '#test/setup/gateway.ts'
import { randomRedisPrefix, testRedisUrl } from '#test/setup/redis.ts'
import { type Spawned, spawnCommand } from './spawned.ts'

const program = join(import.meta.dirname, '../../src/bin/weir.ts')
// Stops the first request of the warm-up, and every other, before its upstream is called.
const stalled = { WEIR_FAILPOINTS: 'before-dispatch=pause:600000' }

let folder: string
let database: TestDatabase
const redisPrefix = randomRedisPrefix()
const spawned: Spawned[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'weir-warm-up-'))
  database = await createSampleDatabase()
})
afterAll(async () => {
  for (const each of spawned) each.kill()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

it('[O3] a warm-up leaves no row, no key in Redis, no figure and no log line of a request', async () => {
  const before = await countRows()
  const { gateway, operatingUrl } = await start({ WEIR_WARM_UP_TIMEOUT_MS: '60000' })
  await gateway.waitForLine(/the gateway is ready/)
  const messages = gateway.lines.map((line) => JSON.parse(line) as { msg: string; requests?: number })
  expect(messages.map(({ msg }) => msg)).toEqual(['warmed up', 'the gateway is ready'])
  expect(messages[0]?.requests).toBe(1_020)
  expect(await countRows()).toEqual(before)
  expect(await keysInRedis()).toEqual([])
  expect(await countedFigures(operatingUrl)).toEqual([])
  gateway.process.kill('SIGTERM')
  expect(await gateway.exited).toBe(0)
  expect(await keysInRedis()).toEqual([])
})

it('[O3] a gateway that warms up is alive and not ready, and a signal ends it at once', async () => {
  const { gateway, operatingUrl, url } = await start({ ...stalled, WEIR_WARM_UP_TIMEOUT_MS: '60000' })
  await expect.poll(() => statusOf(`${operatingUrl}/health`)).toBe(200)
  const ready = await fetch(`${operatingUrl}/ready`)
  expect([ready.status, await ready.json()]).toEqual([
    503,
    { status: 'not ready', missing: ['starting'], degraded: [] },
  ])
  expect(await statusOf(`${url}/v1/models`)).toBe(null)
  gateway.process.kill('SIGTERM')
  expect(await gateway.exited, gateway.lines.join('\n')).toBe(0)
  // Neither its 60 seconds nor the drain notice have passed: it was never ready.
  expect(gateway.lines.join('\n')).not.toMatch(/warm-up|warmed up|is ready|draining/)
  expect(gateway.lines.at(-1)).toContain('"msg":"stopped"')
})

it('[O3] a gateway whose warm-up fails says so once, and is ready', async () => {
  const { gateway, operatingUrl } = await start({ ...stalled, WEIR_WARM_UP_TIMEOUT_MS: '1' })
  await gateway.waitForLine(/the gateway is ready/)
  expect(await statusOf(`${operatingUrl}/ready`)).toBe(200)
  const warnings = gateway.lines.filter((line) => line.includes('"level":40'))
  expect(warnings).toEqual([expect.stringContaining('the warm-up failed')])
})

it('a gateway with a warm-up time of 0 is ready without', async () => {
  const { gateway } = await start({ ...stalled, WEIR_WARM_UP_TIMEOUT_MS: '0' })
  await gateway.waitForLine(/the gateway is ready/)
  expect(gateway.lines).toHaveLength(1)
})

it('several processes that share a port end at once as well', async () => {
  const { gateway, operatingUrl } = await start({ ...stalled, WEIR_WARM_UP_TIMEOUT_MS: '60000' }, ['--processes', '2'])
  await expect.poll(() => statusOf(`${operatingUrl}/health`)).toBe(200)
  gateway.process.kill('SIGTERM')
  expect(await gateway.exited, gateway.lines.join('\n')).toBe(0)
  expect(gateway.lines).toEqual([expect.stringContaining('"msg":"stopped"')])
})

async function start(special: Record<string, string>, flags: readonly string[] = []) {
  const [port, operatingPort] = [await findLastingPort(), await findLastingPort()]
  const gateway = spawnCommand([process.execPath, program, 'gateway', ...flags], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'] ?? '',
      WEIR_SECRET: 'pW4xZr8vKq2mTn6bYc9dHs3fJg7lLa5e',
      WEIR_POSTGRES_URL: database.url,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_REDIS_PREFIX: redisPrefix,
      WEIR_DATA_DIR: join(folder, 'data'),
      WEIR_HTTP_PORT: String(port),
      WEIR_OPERATING_PORT: String(operatingPort),
      WEIR_DRAIN_NOTICE_MS: '0',
      // With the default, a process that can open few files warns.
      WEIR_HTTP_CONNECTIONS_MAX: '100',
      ...patience,
      ...special,
    },
  })
  spawned.push(gateway)
  return { gateway, url: `http://127.0.0.1:${port}`, operatingUrl: `http://127.0.0.1:${operatingPort}` }
}

async function statusOf(url: string): Promise<number | null> {
  return fetch(url).then(
    ({ status }) => status,
    () => null,
  )
}

/** The number of rows of every table. */
async function countRows(): Promise<Record<string, string>> {
  const { rows } = await database.pool.query<{ name: string; count: string }>(
    `SELECT relname AS name,
       (xpath('/row/count/text()', query_to_xml(format('SELECT count(*) FROM %I', relname), false, true, '')))[1]::text
         AS count
     FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p')`,
  )
  expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['generations', 'holds', 'ledger_transfers']))
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]))
}

async function keysInRedis(): Promise<string[]> {
  const redis = new Redis(testRedisUrl())
  try {
    return await redis.keys(`${redisPrefix}*`)
  } finally {
    redis.disconnect()
  }
}

/** Counters and histograms of the gateway that are not zero. */
async function countedFigures(operatingUrl: string): Promise<string[]> {
  const text = await (await fetch(`${operatingUrl}/metrics`)).text()
  const counted = [...text.matchAll(/^# TYPE (weir_\w+) (?:counter|histogram)$/gm)].map(([, name = '']) => name)
  expect(counted.length).toBeGreaterThan(20)
  return text
    .split('\n')
    .filter((line) => counted.some((name) => line.startsWith(name)))
    .filter((line) => !line.endsWith(' 0'))
}
