import { join } from 'node:path'
import type { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realTimers } from '#lib/timers.ts'
import { createPool } from '#store/postgres/create-pool.ts'
import { prepareDatabase } from '#store/postgres/schema/prepare-database.ts'
import { createReplicaUsage } from '#store/postgres/usage/replica-usage.ts'
import { createPrivatePostgres, type PrivatePostgres } from '#test/drills/setup/private-postgres.ts'
import { createAccounts, type TestClient } from '#test/setup/accounts.ts'
import { createTestDatabase } from '#test/setup/database.ts'
import { findEngineFolder } from '#test/setup/find-engine-folder.ts'
import { startTestGateway, type TestGateway, testSecret } from '#test/setup/gateway.ts'
import { parseUsd } from '#domain/money/nano-usd.ts'
import { createUsageWorld, type UsageWorld } from './usage-world.ts'

// The tests build on each other and share a primary and its standby.
let primary: PrivatePostgres
let standby: PrivatePostgres
let pool: Pool
let standbyPool: Pool
let world: UsageWorld
/** Allows five minutes of lag, which no busy machine reaches. */
let patient: TestGateway
/** Allows two seconds, the minimum. */
let strict: TestGateway
let caller: TestClient

beforeAll(async () => {
  const parentFolder = await findEngineFolder()
  primary = await createPrivatePostgres({ parentFolder })
  pool = createPool({ connectionString: primary.url, max: 4, onError: () => {} })
  await prepareDatabase(pool, join(import.meta.dirname, '../../sql'))
  standby = await createPrivatePostgres({ parentFolder, standbyOf: primary })
  standbyPool = createPool({ connectionString: standby.url, max: 1, onError: () => {} })
  world = await createUsageWorld({ url: primary.url, pool, drop: async () => {} })
  const urls = { WEIR_POSTGRES_URL: primary.url, WEIR_POSTGRES_REPLICA_URL: standby.url }
  patient = await startTestGateway({ ...urls, WEIR_POSTGRES_REPLICA_LAG_MAX_MS: '300000' })
  strict = await startTestGateway({ ...urls, WEIR_POSTGRES_REPLICA_LAG_MAX_MS: '2000' })
  caller = await createAccounts(pool, { secret: testSecret, refresh: patient.gateway.refresh }).createClient()
})
afterAll(async () => {
  await Promise.all([patient?.close(), strict?.close(), pool?.end(), standbyPool?.end()])
  await Promise.all([standby?.remove(), primary?.remove()])
})

async function spend(usd: string): Promise<void> {
  const { walletId, keyId } = caller
  await world.settle([{ walletId, keyId, startedAtMs: Date.now(), cost: parseUsd(usd) }])
  await world.rollUpAll()
}

async function spentBy(gateway: TestGateway): Promise<unknown> {
  const { status, json } = await gateway.as(caller.key).get('/v1/usage')
  return status === 200 ? json['totals'] : status
}

async function readsOf(gateway: TestGateway, server: 'primary' | 'replica'): Promise<number> {
  const found = new RegExp(`weir_usage_reads_total\\{server="${server}"\\} (\\d+)`).exec(await gateway.readMetrics())
  return Number(found?.[1] ?? 0)
}

/** Reads until this server answers. */
async function answeredBy(gateway: TestGateway, server: 'primary' | 'replica'): Promise<void> {
  const before = await readsOf(gateway, server)
  await expect
    .poll(async () => {
      await spentBy(gateway)
      return readsOf(gateway, server)
    })
    .toBeGreaterThan(before)
}

const fallback = 'usage queries fall back to the primary'

describe('pages about usage with a replica', () => {
  it('are answered by the standby, and its lag is shown', async () => {
    await spend('1')
    await answeredBy(patient, 'replica')
    await expect.poll(() => spentBy(patient)).toMatchObject({ spend: 1 })
    expect(await patient.readMetrics()).toMatch(/^weir_replica_lag_seconds \d/m)
  })

  it('show what the standby has while it is within the bound, and what the primary has beyond it', async () => {
    await answeredBy(strict, 'replica')
    await standbyPool.query('SELECT pg_wal_replay_pause()')
    await spend('2')
    await expect.poll(() => spentBy(strict)).toMatchObject({ spend: 3 })
    await expect.poll(() => strict.logLines.join()).toContain('ms behind; the limit is 2000 ms')
    expect(await spentBy(patient)).toMatchObject({ spend: 1 })
    await standbyPool.query('SELECT pg_wal_replay_resume()')
    await expect.poll(() => spentBy(patient)).toMatchObject({ spend: 3 })
    await answeredBy(strict, 'replica')
    await expect.poll(() => strict.logLines.join()).toContain(`recovered: ${fallback}`)
  })

  it('are answered by the primary while the standby is away, and no request fails', async () => {
    const away = new AbortController()
    const answers: unknown[] = []
    const asking = (async () => {
      while (!away.signal.aborted) answers.push(await spentBy(patient))
    })()
    await answeredBy(patient, 'replica')
    await standby.crash()
    await answeredBy(patient, 'primary')
    away.abort()
    await asking
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
    expect(answers[0]).toMatchObject({ spend: 3 })
    await expect.poll(() => patient.logLines.join()).toContain(fallback)
    // The fallback is logged again once a minute, with its count.
    const begun = patient.logLines.filter((line) => line.includes(fallback) && !line.includes('"times"'))
    expect(begun).toHaveLength(1)
    await standby.start()
    await answeredBy(patient, 'replica')
    await expect.poll(() => patient.logLines.join()).toContain(`recovered: ${fallback}`)
  })

  it('are answered by the primary where the address leads to another cluster or database, or to no standby', async () => {
    const other = await createTestDatabase()
    expect(await complaintOf(other.url)).toBe('postgres.replicaUrl points to another database cluster')
    expect(await complaintOf(primary.url)).toBe('postgres.replicaUrl points to a server that is not a standby')
    await other.drop()
    const elsewhere = new URL(standby.url)
    const database = elsewhere.pathname.slice(1)
    elsewhere.pathname = '/template1'
    expect(await complaintOf(elsewhere.href)).toBe(
      `postgres.replicaUrl points to the database template1, but postgres.url to ${database}`,
    )
  })
})

/** The complaint about a replica with this address, which must not be used for usage. */
async function complaintOf(url: string): Promise<string> {
  const complaint = Promise.withResolvers<string>()
  const servers: string[] = []
  const usage = createReplicaUsage({
    url,
    lagMaxMs: 300_000,
    connectTimeoutMs: 60_000,
    primary: { general: pool, sums: pool },
    nowMs: realTimers.nowMs,
    fault: {
      failed: (error) => complaint.resolve(error instanceof Error ? error.message : ''),
      succeeded: () => complaint.resolve(''),
    },
    onRead: (server) => servers.push(server),
    onError: () => {},
  })
  const text = await complaint.promise
  await usage.reads.sum({ walletId: caller.walletId, by: [], range: { startMs: 0, endMs: 86_400_000 } })
  await usage.close()
  expect(servers).toEqual(['primary'])
  return text
}
