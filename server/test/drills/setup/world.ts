import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Pool } from 'pg'
import type { JsonObject } from '#lib/json.ts'
import type { PrivateRedis } from '#test/identity/private-redis.ts'
import { createAccounts, type TestAccounts } from '#test/setup/accounts.ts'
import { createTestDatabase } from '#test/setup/database.ts'
import { importSample, testSecret } from '#test/setup/gateway.ts'
import type { ControlledSimulator } from '#test/simulators/control-simulator.ts'
import { spawnSimulator } from '#test/simulators/spawn-simulator.ts'
import { type Call, openCall, type Transcript } from './call.ts'
import type { PrivatePostgres } from './private-postgres.ts'
import { readMetric } from './read-metric.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'

export const leaseMs = 1_500
export const sweepIntervalMs = 200
// The machine may be busy: a sweep that is due can come this much later.
export const patienceMs = 3_000

export interface GatewayOptions {
  env?: Record<string, string>
  nodeFlags?: readonly string[]
  /** Two gateways of the same place share a data folder, one after the other. */
  place?: string
}

export interface Engines {
  postgres: PrivatePostgres
  redis: PrivateRedis
}

/** Everything one drill acts on: a database and a simulator of its own, a worker, and gateways as it needs them. */
export interface World extends TestAccounts, Engines {
  readonly pool: Pool
  readonly databaseUrl: string
  readonly simulator: ControlledSimulator
  readonly transcripts: readonly Transcript[]
  readonly gateways: readonly ServerProcess[]
  startGateway(options?: GatewayOptions): Promise<ServerProcess>
  /** Another simulator, closed with the world. */
  startSimulator(): Promise<ControlledSimulator>
  call(gateway: { url: string }, caller: { key: string }, body: JsonObject): Call
  /** Waits until every call has ended and nothing is held, queued or spooled any more. */
  settleDown(): Promise<void>
  /** A call that no client wrote down, such as one sent over a bare socket. */
  noteUnseen(generationId: string): void
  readonly unseen: ReadonlySet<string>
  /** Done when the world closes. */
  defer(end: () => Promise<void>): void
  close(): Promise<void>
}

export async function createWorld(engines: Engines): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-drill-'))
  const database = await createTestDatabase()
  await importSample(database.pool)
  const simulators: (ControlledSimulator & { kill(): void })[] = []
  const gateways: ServerProcess[] = []
  const dataFolders = new Map<ServerProcess, string>()
  const calls: Call[] = []
  const unseen = new Set<string>()
  const ends: (() => Promise<void>)[] = []
  const base = {
    WEIR_SECRET: testSecret,
    WEIR_HTTP_PORT: '0',
    WEIR_POSTGRES_URL: database.url,
    WEIR_REDIS_URL: engines.redis.url,
    WEIR_REVISIONS_POLL_MS: '100',
    WEIR_LIMITS_INFERENCE_LOW: '100000',
    WEIR_LIMITS_INFERENCE_FUNDED: '100000',
    WEIR_LIMITS_ACCOUNT: '100000',
    WEIR_MONEY_LEASE_MS: String(leaseMs),
    WEIR_MONEY_SWEEP_INTERVAL_MS: String(sweepIntervalMs),
    WEIR_BREAKER_FAILURES: '100000',
  }

  async function startSimulator(): Promise<ControlledSimulator> {
    const simulator = await spawnSimulator()
    simulators.push(simulator)
    return simulator
  }

  async function startGateway({ env = {}, nodeFlags = [], place }: GatewayOptions = {}): Promise<ServerProcess> {
    const dataFolder = join(folder, place ?? `gateway-${gateways.length}`)
    await mkdir(dataFolder, { recursive: true })
    const gateway = await startServerProcess({
      command: 'gateway',
      folder,
      nodeFlags,
      env: { ...base, WEIR_DATA_DIR: dataFolder, ...env },
    })
    gateways.push(gateway)
    dataFolders.set(gateway, dataFolder)
    return gateway
  }

  async function settleDown(): Promise<void> {
    await Promise.all(calls.map((call) => call.ended))
    const deadlineMs = Date.now() + leaseMs + sweepIntervalMs + patienceMs
    for (;;) {
      const busy = await whatIsBusy()
      if (busy === null) return
      if (Date.now() > deadlineMs) throw new Error(`I3: after lease and sweep there is still ${busy}`)
      await wait(50)
    }
  }

  async function whatIsBusy(): Promise<string | null> {
    const { rows } = await database.pool.query(
      'SELECT id, amount_nano, lease_until, clock_timestamp() AS now FROM holds',
    )
    if (rows.length > 0) return `an open hold: ${JSON.stringify(rows)}`
    for (const gateway of gateways.filter(({ isAlive }) => isAlive)) {
      for (const name of ['weir_holds_open', 'weir_lane_depth', 'weir_spool_waiting']) {
        const value = await readMetric(gateway, name)
        if (value > 0) return `${name} ${value} in ${gateway.url}`
      }
      const spooled = await readdir(join(dataFolders.get(gateway) ?? '', 'spool')).catch(() => [])
      if (spooled.length > 0) return `a spool file: ${spooled.join(', ')}`
    }
    return null
  }

  const [simulator, worker] = await Promise.all([
    startSimulator(),
    startServerProcess({ command: 'worker', folder, env: base }),
  ])
  return {
    ...engines,
    ...createAccounts(database.pool, { secret: testSecret, refresh: async () => wait(refreshMs) }),
    pool: database.pool,
    databaseUrl: database.url,
    simulator,
    gateways,
    get transcripts() {
      return calls.map((call) => call.soFar)
    },
    startGateway,
    startSimulator,
    call: (gateway, caller, body) => {
      const call = openCall({ url: gateway.url, key: caller.key, body })
      calls.push(call)
      return call
    },
    settleDown,
    unseen,
    noteUnseen: (generationId) => {
      unseen.add(generationId)
    },
    defer: (end) => {
      ends.push(end)
    },
    close: async () => {
      await Promise.all(ends.map((end) => end()))
      await Promise.all([...gateways, worker].filter(({ isAlive }) => isAlive).map((running) => running.kill()))
      // Not closed in order: somebody may still wait at one of its gates.
      for (const running of simulators) running.kill()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

// Longer than gateways wait before they look for new routes.
const refreshMs = 250
