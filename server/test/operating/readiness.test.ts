import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { type Gateway, wireGateway } from '#bin/wiring/wire-gateway.ts'
import { parseConfig } from '#config/parse-config.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { openRoad } from '#test/edge/open-road.ts'
import { createPrivateRedis } from '#test/identity/private-redis.ts'
import { callChat } from '#test/setup/call-chat.ts'
import { startTestGateway, type TestGateway, testSecret } from '#test/setup/gateway.ts'
import { ownOrigin } from '#test/setup/own-origin.ts'
import { testRedisUrl } from '#test/setup/redis.ts'
import { authClient } from '#test/sign-in/auth-client.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

const otherSecret = 'pW4xZr8vKq2mTn6bYc9dHs3fJg7lLa5e'

let first: TestGateway
let vendor: Simulator
let key: string
let dataDir: string
const started: Gateway[] = []

beforeAll(async () => {
  first = await startTestGateway()
  vendor = await startSimulator()
  vendor.play({ kind: 'echo' })
  await first.addProvider({ vendor: 'openai', url: `${vendor.url}/v1`, pattern: 'openai/*' })
  key = (await first.createClient()).key
  dataDir = await mkdtemp(join(tmpdir(), 'weir-ready-'))
})
afterEach(async () => {
  for (const gateway of started.splice(0)) await gateway.drain()
})
afterAll(async () => {
  await first.close()
  await vendor.close()
  await rm(dataDir, { recursive: true, force: true })
})

describe('[O3] a gateway whose secret opens no seal', () => {
  it('is not ready, says which word to look for, and refuses with 503 what it has no routes for', async () => {
    const { url, operatingUrl } = await start({ WEIR_SECRET: otherSecret })
    expect(await ready(operatingUrl)).toEqual({
      status: 503,
      json: { status: 'not ready', missing: ['routing'], degraded: [], reasons: { routing: 'wrong_secret' } },
    })
    const real = await callChat({ url, key }, { model: 'openai/gpt-5.2' })
    expect([real.status, real.headers.get('retry-after')]).toEqual([503, '5'])
    expect(real.json).toMatchObject({
      error: { type: 'service_unavailable', message: expect.stringContaining('its routing table is not loaded') },
    })
    expect((await callChat({ url, key }, { model: 'test/echo' })).status).toBe(200)
  })

  it('says so once in the log, without a stack, however often it tries', async () => {
    const { gateway, lines } = await start({ WEIR_SECRET: otherSecret })
    for (let count = 0; count < 20; count += 1) await gateway.refresh()
    const told = lines.filter(({ msg }) => String(msg).includes('failed to load the routing table'))
    expect(told[0]).toMatchObject({ level: 50, error: expect.stringContaining('with this secret') })
    const minutes = Math.floor((Number(told.at(-1)?.['time']) - Number(told[0]?.['time'])) / 60_000)
    expect(told).toHaveLength(1 + minutes)
    expect(JSON.stringify(told)).not.toMatch(/stack|\.ts:\d/)
  })

  it('is ready where the secret before it is named as well', async () => {
    const { url, operatingUrl } = await start({ WEIR_SECRET: otherSecret, WEIR_PREVIOUS_SECRETS: testSecret })
    expect(await ready(operatingUrl)).toEqual({ status: 200, json: { status: 'ready', missing: [], degraded: [] } })
    expect((await callChat({ url, key }, { model: 'openai/gpt-5.2' })).status).toBe(200)
  })
})

it('[O3] a gateway with a routing table that can not be loaded again goes on with it, and says so', async () => {
  const { url, operatingUrl, gateway, lines } = await start()
  expect((await ready(operatingUrl)).json).toEqual({ status: 'ready', missing: [], degraded: [] })
  const id = await addAccountOfOtherSecret()
  await gateway.refresh()
  expect(await ready(operatingUrl)).toEqual({
    status: 200,
    json: { status: 'ready', missing: [], degraded: ['routing'], reasons: { routing: 'wrong_secret' } },
  })
  expect((await callChat({ url, key }, { model: 'openai/gpt-5.2' })).status).toBe(200)
  await first.pool.query('DELETE FROM provider_accounts WHERE id = $1', [id])
  await gateway.refresh()
  expect((await ready(operatingUrl)).json).toEqual({ status: 'ready', missing: [], degraded: [] })
  expect(lines.filter(({ msg }) => String(msg).startsWith('recovered: failed to load the routing table'))).toHaveLength(
    1,
  )
})

it("[O3] an organization's own key that does not open is told of, and nothing else suffers", async () => {
  const { id } = await first.createOrganization()
  await first.pool.query(
    `INSERT INTO own_keys (id, organization_id, name, base_url, credential, key_mask, protocol, fallback_mode, enabled)
     VALUES (gen_random_uuid(), $1, 'Ours', 'https://byok.example/v1', '{}', '…', 'openai', 'seamless', true)`,
    [id],
  )
  const { operatingUrl } = await start()
  expect(await ready(operatingUrl)).toEqual({
    status: 200,
    json: { status: 'ready', missing: [], degraded: ['own-keys'], reasons: { 'own-keys': 'not_all_open' } },
  })
  await first.pool.query('DELETE FROM own_keys WHERE organization_id = $1', [id])
})

it('[O3] a gateway that has loaded nothing yet refuses with 503, and does not say that there is no such model', async () => {
  const { url, operatingUrl } = await start({}, { isPrepared: false })
  expect((await ready(operatingUrl)).json['missing']).toEqual([
    'catalogue',
    'routing',
    'own-keys',
    'free-models',
    'auto',
    'brake',
  ])
  const reply = await callChat({ url, key }, { model: 'openai/gpt-5.2' })
  expect(reply.status).toBe(503)
  expect(reply.json).toMatchObject({ error: { message: expect.stringContaining('its catalogue is not loaded') } })
})

it('[O3] a gateway on a database that is not up to date is not ready', async () => {
  const { operatingUrl } = await start()
  const { rows } = await first.pool.query<{ name: string }>(
    'DELETE FROM schema_migrations WHERE name = (SELECT max(name) FROM schema_migrations) RETURNING name',
  )
  expect(await ready(operatingUrl)).toMatchObject({ status: 503, json: { missing: ['schema'] } })
  await expect(start()).rejects.toThrow('The database schema is out of date. Run: weir migrate')
  await first.pool.query('INSERT INTO schema_migrations (name) VALUES ($1)', [rows[0]?.name])
  expect((await ready(operatingUrl)).status).toBe(200)
})

it('[O3] a gateway without Postgres is not ready, and is again when Postgres is back', async () => {
  const road = await openRoad(new URL(first.databaseUrl))
  const { operatingUrl } = await start({
    WEIR_POSTGRES_URL: Object.assign(new URL(first.databaseUrl), { port: road.port }).href,
  })
  expect((await ready(operatingUrl)).status).toBe(200)
  road.cut()
  expect(await ready(operatingUrl)).toMatchObject({ status: 503, json: { missing: ['postgres'] } })
  road.mend()
  expect((await ready(operatingUrl)).status).toBe(200)
  for (const gateway of started.splice(0)) await gateway.drain()
  await road.close()
})

it('C10: a gateway whose Postgres takes no writes is not ready, and refuses with 503', async () => {
  const databaseUrl = new URL(first.databaseUrl)
  databaseUrl.searchParams.set('options', '-c default_transaction_read_only=on')
  const { url, operatingUrl } = await start({ WEIR_POSTGRES_URL: databaseUrl.href, WEIR_HTTP_PUBLIC_URL: ownOrigin })
  expect(await ready(operatingUrl)).toEqual({
    status: 503,
    json: { status: 'not ready', missing: ['postgres'], degraded: [], reasons: { postgres: 'read_only' } },
  })
  expect((await callChat({ url, key }, { model: 'openai/gpt-5.2' })).status).toBe(503)
  const person = { email: 'ada@example.com', password: 'correct horse battery', name: 'Ada' }
  expect((await authClient(first).post('/sign-up/email', person)).status).toBe(200)
  const auth = authClient({ url })
  expect((await auth.post('/sign-up/email', { ...person, email: 'bea@example.com' })).status).toBe(503)
  expect((await auth.post('/sign-in/email', person)).status).toBe(503)
})

it('[O15] a gateway without Redis is ready and degraded, and says so once, with the address', async () => {
  const redis = await createPrivateRedis()
  const { url, operatingUrl, lines } = await start({ WEIR_REDIS_URL: redis.url })
  await expect
    .poll(() => ready(operatingUrl))
    .toEqual({
      status: 200,
      json: { status: 'ready', missing: [], degraded: ['redis'] },
    })
  expect((await callChat({ url, key }, { model: 'openai/gpt-5.2' })).status).toBe(200)
  const told = lines.filter(({ msg }) => String(msg).includes('Redis is unavailable'))
  const { host } = new URL(redis.url)
  expect(told).toEqual([
    expect.objectContaining({
      level: 40,
      msg: `Redis is unavailable at ${host}; this process counts on its own`,
      error: expect.stringContaining('ECONNREFUSED'),
    }),
  ])
  await redis.start()
  await expect
    .poll(() => ready(operatingUrl))
    .toEqual({ status: 200, json: { status: 'ready', missing: [], degraded: [] } })
  for (const gateway of started.splice(0)) await gateway.drain()
  await redis.remove()
})

async function start(environment: Record<string, string> = {}, { isPrepared = true } = {}) {
  const config = parseConfig({
    env: {
      WEIR_SECRET: testSecret,
      WEIR_POSTGRES_URL: first.databaseUrl,
      WEIR_REDIS_URL: testRedisUrl(),
      WEIR_DATA_DIR: dataDir,
      WEIR_DRAIN_NOTICE_MS: '0',
      // Tests check for changes themselves.
      WEIR_REVISIONS_POLL_MS: '86400000',
      WEIR_REDIS_BUDGET_MS: '900',
      ...environment,
    },
  })
  const lines: JsonObject[] = []
  const logger = pino({}, { write: (line: string) => lines.push(parseJsonObject(line) ?? {}) })
  const gateway = wireGateway(config, logger)
  started.push(gateway)
  if (isPrepared) await gateway.prepare()
  const url = await gateway.server.listen({ host: '127.0.0.1', port: 0 })
  const operatingUrl = await gateway.operating.listen({ host: '127.0.0.1', port: 0 })
  return { url, operatingUrl, gateway, lines }
}

async function ready(operatingUrl: string): Promise<{ status: number; json: JsonObject }> {
  const response = await fetch(`${operatingUrl}/ready`)
  return { status: response.status, json: parseJsonObject(await response.text()) ?? {} }
}

/** Sealed by an unknown secret. */
async function addAccountOfOtherSecret(): Promise<string | undefined> {
  const { rows } = await first.pool.query<{ id: string }>(
    `INSERT INTO provider_accounts (id, name, vendor, base_url, credential)
     SELECT gen_random_uuid(), 'strange', vendor, base_url, jsonb_set(credential::jsonb, '{keyId}', '"k-000000000000"')
     FROM provider_accounts WHERE name = 'openai' RETURNING id`,
  )
  await first.pool.query("UPDATE revisions SET revision = revision + 1 WHERE topic = 'routing'")
  return rows[0]?.id
}
