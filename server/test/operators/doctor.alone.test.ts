import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { Redis } from 'ioredis'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { runWeir } from '#test/audit/run-weir.ts'
import { createPrivateRedis, type PrivateRedis } from '#test/identity/private-redis.ts'
import { createAccounts } from '#test/setup/accounts.ts'
import { createSampleDatabase, type TestDatabase } from '#test/setup/database.ts'
import { testSecret } from '#test/setup/gateway.ts'
import { type Simulator, startSimulator } from '#test/simulators/start-simulator.ts'

/** Findings about the test database: tests need not survive a power failure. */
const ofTheEngine = /^(?:fsync|full_page_writes|synchronous_commit|archive|postgres latency|redis latency|connections)$/

describe('weir doctor', () => {
  let database: TestDatabase
  let redis: PrivateRedis
  let vendor: Simulator
  let folder: string
  const saved = { ...process.env }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weir-doctor-'))
    database = await createSampleDatabase()
    redis = await createPrivateRedis()
    await redis.start()
    vendor = await startSimulator()
    const accounts = createAccounts(database.pool, { secret: testSecret, refresh: async () => {} })
    await accounts.addProvider({ vendor: 'openai', url: vendor.url, pattern: 'openai/*' })
    await database.pool.query('DELETE FROM models WHERE id NOT LIKE $1', ['openai/gpt-5%'])
    // Simulates an installed tool: only its output is read.
    const info = [{ name: 'weir', backup: [{ timestamp: { start: 1, stop: Math.floor(Date.now() / 1_000) } }] }]
    await writeFile(join(folder, 'pgbackrest'), `#!/bin/sh\necho '${JSON.stringify(info)}'\n`)
    await chmod(join(folder, 'pgbackrest'), 0o755)
  })
  beforeEach(() => {
    Object.assign(process.env, {
      WEIR_SECRET: testSecret,
      WEIR_POSTGRES_URL: database.url,
      WEIR_REDIS_URL: redis.url,
      WEIR_DATA_DIR: folder,
      WEIR_POSTGRES_POOL_MAX: '10',
      PATH: `${folder}${delimiter}${saved['PATH'] ?? ''}`,
    })
  })
  afterAll(async () => {
    process.env['PATH'] = saved['PATH']
    await redis.remove()
    await vendor.close()
    await database.drop()
    await rm(folder, { recursive: true })
  })

  it('finds nothing wrong with a service that is well', async () => {
    const { findings } = await examine()
    expect(wrong(findings)).toEqual([])
    expect(findings.map(({ what }) => what)).toEqual(
      expect.arrayContaining([
        'configuration',
        'postgres',
        'clock',
        'backup',
        'schema',
        'secret',
        'providers',
        'models',
      ]),
    )
    const { out } = await runWeir('doctor')
    expect(out).toMatch(/^ok +secret +decrypts all 1 encrypted values$/m)
    expect(out).toMatch(/^ok +redis +(?:Redis|Valkey) \d/m)
    expect(out).toMatch(/^ok +backup +the last backup is 0 min old$/m)
    expect(out).toMatch(/^ok +disk +\S+ has \d/m)
  })

  it.each([
    ['a setting is wrong', { WEIR_HTTP_PROT: '1' }, 'fault', 'configuration', /WEIR_HTTP_PORT/],
    [
      'Postgres is away',
      { WEIR_POSTGRES_URL: 'postgres://postgres@127.0.0.1:1/weir' },
      'fault',
      'postgres',
      /ECONNREFUSED/,
    ],
    [
      'the secret is another',
      { WEIR_SECRET: 'pW4xZr8vKq2mTn6bYc9dHs3fJg7lLa5e' },
      'fault',
      'secret',
      /1 of 1 .* provider_accounts/,
    ],
    ['Redis is away', { WEIR_REDIS_URL: 'redis://127.0.0.1:1' }, 'warning', 'redis', /unreachable \(.*ECONNREFUSED/],
    ['the folder cannot be written', { WEIR_DATA_DIR: '/dev/null/data' }, 'fault', 'disk', /is not writable/],
    ['pools are too large', { WEIR_POSTGRES_POOL_MAX: '1000' }, 'fault', 'connections', /room for 0 gateways/],
    ['no backup program is there', { PATH: '/nowhere' }, 'warning', 'backup', /backup age unknown/],
  ] as const)('says so where %s', async (_what, env, state, what, says) => {
    Object.assign(process.env, env)
    const { code, findings } = await examine()
    delete process.env['WEIR_HTTP_PROT']
    expect(findings).toContainEqual(expect.objectContaining({ state, what, says: expect.stringMatching(says) }))
    expect(code).toBe(findings.some((finding) => finding.state === 'fault') ? 1 : 0)
  })

  it.each([
    ['the schema is behind', `DELETE FROM schema_migrations WHERE name LIKE '0001%'`, 'fault', 'schema'],
    ['days are those of a zone', `ALTER DATABASE CURRENT SET TimeZone = 'Europe/Berlin'`, 'warning', 'time zone'],
    ['commits do not wait', 'ALTER DATABASE CURRENT SET synchronous_commit = off', 'fault', 'synchronous_commit'],
    ['Postgres takes no writes', 'ALTER DATABASE CURRENT SET default_transaction_read_only = on', 'fault', 'postgres'],
    ['no model can be called', 'UPDATE provider_accounts SET enabled = false', 'warning', 'models'],
    ['the catalogue is empty', 'DELETE FROM models', 'warning', 'models'],
  ] as const)('says so where %s', async (_what, statement, state, what) => {
    const other = await createSampleDatabase()
    process.env['WEIR_POSTGRES_URL'] = other.url
    const name = new URL(other.url).pathname.slice(1)
    await other.pool.query(statement.replace('CURRENT', name))
    const { findings } = await examine()
    await other.drop()
    expect(findings).toContainEqual(expect.objectContaining({ state, what }))
  })

  it('says so where Redis forgets, or is a replica', async () => {
    const client = new Redis(redis.url)
    await client.config('SET', 'maxmemory-policy', 'allkeys-lru')
    expect((await examine()).findings).toContainEqual(
      expect.objectContaining({ state: 'warning', what: 'redis memory' }),
    )
    await client.config('SET', 'maxmemory-policy', 'noeviction')
    await client.replicaof('127.0.0.1', 1)
    expect((await examine()).findings).toContainEqual(
      expect.objectContaining({ state: 'fault', what: 'redis', says: expect.stringContaining('replica') }),
    )
    await client.replicaof('NO', 'ONE')
    client.disconnect()
  })

  it('says so where the clock of this machine is wrong', async () => {
    const { now } = Date
    Date.now = () => now() + 60_000
    const { findings } = await examine()
    Date.now = now
    expect(findings).toContainEqual({
      what: 'clock',
      state: 'fault',
      says: expect.stringMatching(/^is \d+ s ahead of the Postgres clock$/),
      advice: expect.stringContaining('NTP'),
    })
  })

  it('says so where a provider cannot be reached', async () => {
    await vendor.close()
    expect((await examine()).findings).toContainEqual(
      expect.objectContaining({ state: 'fault', what: 'providers', says: expect.stringMatching(/ECONNREFUSED/) }),
    )
  })
})

interface Shown {
  readonly what: string
  readonly state: string
  readonly says: string
}

async function examine(): Promise<{ code: number; findings: Shown[] }> {
  const { code, out, error } = await runWeir('doctor', '--json')
  expect(error).toBe('')
  return { code, findings: JSON.parse(out).findings }
}

function wrong(findings: readonly Shown[]): Shown[] {
  return findings.filter(({ what, state }) => state !== 'ok' && !ofTheEngine.test(what))
}
