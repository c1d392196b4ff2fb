import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Worker, wireWorker } from '#bin/wiring/wire-worker.ts'
import { parseConfig } from '#config/parse-config.ts'
// Not an expectation: it writes jobs as a gateway does.
import { acceptedJob } from '#domain/video/video-job.ts'
import { isJsonObject, type JsonObject, parseJsonObject } from '#lib/json.ts'
import { newUuid } from '#lib/uuid.ts'
import { openRoad } from '#test/edge/open-road.ts'
import { createAccounts } from '#test/setup/accounts.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { testSecret } from '#test/setup/gateway.ts'

let database: TestDatabase
let folder: string
const workers: Worker[] = []
// A recovered part is seen at its next round, after 10 s at the latest.
const patience = { timeout: 300_000, interval: 50 }

/** The tasks of a worker that sends events to a file. */
const parts = [
  'partitions',
  'sweep',
  'grants',
  'rollup',
  'reconciliation',
  'retention',
  'purge-institutions',
  'purge-person-months',
  'purge-evidence',
  'purge-sign-in',
  'purge-sign-on',
  'purge-windows',
  'purge-customer-tokens',
  'purge-end-users',
  'purge-runs',
  'purge-payment-events',
  'purge-idempotency-keys',
  'purge-mails',
  'purge-announcements',
  'purge-invitations',
  'purge-answers',
  'purge-cached-answers',
  'purge-images',
  'purge-answer-files',
  'purge-cached-files',
  'purge-responses',
  'purge-response-files',
  'purge-batches',
  'purge-files',
  'purge-videos',
  'indexes',
  'routing',
  'videos',
  'webhooks',
  'events',
  'events-ndjson-file',
  'announcements',
  'invoices',
  'alerts',
  'placements',
  'certificates',
  'mails',
]

beforeEach(async () => {
  database = await createTestDatabase()
  folder = await mkdtemp(join(tmpdir(), 'weir-worker-'))
})
afterEach(async () => {
  for (const worker of workers.splice(0)) await worker.close()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

it('[O2] a worker that is well is ready, and shows a figure for each of its parts', async () => {
  const { url } = await start({ WEIR_EVENTS_NDJSON_FILE: join(folder, 'events.ndjson') })
  expect(await get(url, '/health')).toEqual({ status: 200, json: { status: 'alive' } })
  expect(await get(url, '/ready')).toEqual({
    status: 200,
    json: { status: 'ready', missing: [], degraded: [], parts: [] },
  })
  expect([...(await figures(url, 'weir_worker_task_up')).keys()]).toEqual(parts)
  await expect
    .poll(async () => (await figures(url, 'weir_worker_task_last_success_timestamp_seconds')).size, patience)
    .toBe(parts.length)
  expect(await figures(url, 'weir_worker_task_up')).toEqual(new Map(parts.map((part) => [part, 1])))
  expect((await get(url, '/v1/models')).status).toBe(404)
})

it('[O2] a part that keeps failing makes the worker not ready, by its name and since when, and mends itself', async () => {
  await database.pool.query('ALTER TABLE institution_codes RENAME TO hidden')
  const startedAtMs = Date.now()
  const { url, lines } = await start()
  await expect.poll(async () => (await get(url, '/ready')).status, patience).toBe(503)
  const { json } = await get(url, '/ready')
  expect(json).toEqual({
    status: 'not ready',
    missing: ['purge-institutions'],
    degraded: [],
    parts: [{ name: 'purge-institutions', failingSince: expect.any(String), failures: expect.any(Number) }],
  })
  const [part] = Array.isArray(json['parts']) ? json['parts'] : []
  const since = Date.parse(isJsonObject(part) ? String(part['failingSince']) : '')
  expect(since).toBeGreaterThanOrEqual(startedAtMs)
  expect(since).toBeLessThanOrEqual(Date.now())
  expect((await figures(url, 'weir_worker_task_up')).get('purge-institutions')).toBe(0)
  expect((await figures(url, 'weir_worker_task_failures_total')).get('purge-institutions')).toBeGreaterThanOrEqual(3)
  // Logged once a minute, without a stack.
  const told = lines.filter(({ msg }) => msg === `worker task "purge-institutions" failed`)
  expect(told[0]).toMatchObject({ error: expect.stringContaining('institution_codes') })
  const minutes = Math.floor((Number(told.at(-1)?.['time']) - Number(told[0]?.['time'])) / 60_000)
  expect(told).toHaveLength(1 + minutes)
  expect(JSON.stringify(told)).not.toMatch(/stack|\.ts:\d/)

  await database.pool.query('ALTER TABLE hidden RENAME TO institution_codes')
  await expect
    .poll(() => get(url, '/ready'), patience)
    .toEqual({
      status: 200,
      json: { status: 'ready', missing: [], degraded: [], parts: [] },
    })
  expect((await figures(url, 'weir_worker_task_up')).get('purge-institutions')).toBe(1)
})

it('[O2] a worker without Postgres is not ready, and all of it goes on when Postgres is back', async () => {
  const road = await openRoad(new URL(database.url))
  const { url } = await start({
    WEIR_POSTGRES_URL: Object.assign(new URL(database.url), { port: road.port }).href,
  })
  road.cut()
  await expect
    .poll(async () => (await get(url, '/ready')).json['missing'], patience)
    .toEqual(expect.arrayContaining(['postgres', 'sweep', 'rollup', 'routing', 'videos', 'webhooks']))
  road.mend()
  await expect.poll(async () => (await get(url, '/ready')).status, patience).toBe(200)
  for (const worker of workers.splice(0)) await worker.close()
  await road.close()
})

it('[O2] a worker does not start on a database that is not up to date, nor go on unnoticed when it is not', async () => {
  const newest = '(SELECT max(name) FROM schema_migrations)'
  const { url } = await start()
  const { rows } = await database.pool.query<{ name: string }>(
    `DELETE FROM schema_migrations WHERE name = ${newest} RETURNING name`,
  )
  expect(await get(url, '/ready')).toMatchObject({ status: 503, json: { missing: ['schema'] } })
  await expect(start()).rejects.toThrow('The database schema is out of date. Run: weir migrate')
  await database.pool.query('INSERT INTO schema_migrations (name) VALUES ($1)', [rows[0]?.name])
  expect((await get(url, '/ready')).status).toBe(200)
})

it('[O2] [O3] a worker whose secret opens no seal is not ready, and leaves the jobs of videos to others', async () => {
  const accounts = createAccounts(database.pool, { secret: testSecret, refresh: async () => {} })
  await accounts.addProvider({ vendor: 'luma', url: 'http://127.0.0.1:9' })
  const id = newUuid(Date.now())
  await database.pool.query(
    `INSERT INTO video_jobs (id, wallet_id, model, task, candidates, asker, held_nano, windows, progress, state, own_url, deadline_at)
     VALUES ($1, $1, 'acme/film', '{}', '[{}]', '{}', 0, '[]', $2, 'accepted', '', now() + interval '1 hour')`,
    [id, acceptedJob],
  )
  const { url } = await start({ WEIR_SECRET: 'pW4xZr8vKq2mTn6bYc9dHs3fJg7lLa5e' })
  await expect.poll(async () => (await get(url, '/ready')).json['missing'], patience).toEqual(['routing', 'videos'])
  const { rows } = await database.pool.query('SELECT state, claim FROM video_jobs WHERE id = $1', [id])
  expect(rows).toEqual([{ state: 'accepted', claim: '0' }])
})

async function start(environment: Record<string, string> = {}) {
  const config = parseConfig({
    env: {
      WEIR_SECRET: testSecret,
      WEIR_POSTGRES_URL: database.url,
      WEIR_DATA_DIR: folder,
      WEIR_WORKER_PORT: '0',
      ...environment,
    },
  })
  const lines: JsonObject[] = []
  const logger = pino({}, { write: (line: string) => lines.push(parseJsonObject(line) ?? {}) })
  const worker = wireWorker(config, logger)
  workers.push(worker)
  return { url: await worker.start(), lines }
}

async function get(url: string, path: string): Promise<{ status: number; json: JsonObject }> {
  const response = await fetch(`${url}${path}`)
  return { status: response.status, json: parseJsonObject(await response.text()) ?? {} }
}

async function figures(url: string, name: string): Promise<Map<string, number>> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const found = text.matchAll(new RegExp(`^${name}\\{task="([^"]+)"\\} (.+)$`, 'gm'))
  return new Map([...found].map(([, part = '', value]) => [part, Number(value)]))
}
