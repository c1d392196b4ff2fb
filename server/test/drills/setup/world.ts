import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Pool } from 'pg'
import type { JsonObject } from '#lib/json.ts'
import type { PrivateRedis } from '#test/identity/private-redis.ts'
import { createAccounts, type TestAccounts } from '#test/setup/accounts.ts'
import { createSampleDatabase, type TestDatabase } from '#test/setup/database.ts'
import { testSecret } from '#test/setup/gateway.ts'
import type { ControlledSimulator } from '#test/simulators/control-simulator.ts'
import { type SpawnedSimulator, type SpawnOptions, spawnSimulator } from '#test/simulators/spawn-simulator.ts'
import { type Call, openCall, type SentContent, type Transcript } from './call.ts'
import type { PrivatePostgres } from './private-postgres.ts'
import { leaseMs, serverEnvironment } from './server-environment.ts'
import { type ServerProcess, startServerProcess } from './server-process.ts'
import { waitForQuiet } from './settle-down.ts'

export interface GatewayOptions {
  env?: Record<string, string>
  nodeFlags?: readonly string[]
  /** Gateways with the same name share a data folder, one after the other. */
  place?: string
  /** The folder of another version. */
  tree?: string | undefined
}

/** The key of a request, and headers beside it. */
export interface Sender {
  readonly key: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface Engines {
  postgres: PrivatePostgres
  redis: PrivateRedis
}

/** The environment of one drill: its own database and simulator, usually a worker, and gateways on demand. */
export interface World extends TestAccounts, Engines {
  readonly pool: Pool
  readonly databaseUrl: string
  readonly simulator: ControlledSimulator
  readonly transcripts: readonly Transcript[]
  readonly gateways: readonly ServerProcess[]
  readonly workers: readonly ServerProcess[]
  startGateway(options?: GatewayOptions): Promise<ServerProcess>
  /** Starts a worker besides the default one of most worlds. */
  startWorker(options?: GatewayOptions): Promise<ServerProcess>
  /** Starts another simulator, closed with the world. */
  startSimulator(options?: SpawnOptions): Promise<SpawnedSimulator>
  /** Sends a chat request unless a path is given. */
  call(gateway: { url: string }, caller: Sender, body: JsonObject | SentContent, path?: string): Call
  /**
   * Waits until every request has ended and nothing is held, queued or spooled. The holds of dead gateways last this
   * long.
   */
  settleDown(heldForMs?: number): Promise<void>
  /** Notes a generation, or all of a key, that no client recorded, such as one sent over a bare socket. */
  noteUnseen(id: string): void
  readonly unseen: ReadonlySet<string>
  /** Adds lines to the final output of a drill, also after a failure. */
  tell(lines: () => readonly string[]): void
  readonly told: readonly string[]
  /** Runs when the world closes. */
  defer(end: () => Promise<void>): void
  close(): Promise<void>
}

export async function createWorld(
  engines: Engines,
  {
    hasWorker,
    openDatabase = createSampleDatabase,
  }: { hasWorker: boolean; openDatabase?: (() => Promise<TestDatabase>) | undefined },
): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'world-'))
  const database = await openDatabase()
  const { pool } = database
  const environment = serverEnvironment({ postgres: database.url, redis: engines.redis.url })
  const [simulators, processes] = [createSimulators(), createProcesses(folder, environment)]
  const [simulator] = await Promise.all([simulators.start(), hasWorker ? processes.startWorker() : null])
  const calls: Call[] = []
  const unseen = new Set<string>()
  const ends: (() => Promise<void>)[] = []
  const tellers: (() => readonly string[])[] = []
  return {
    ...engines,
    ...createAccounts(pool, { secret: testSecret, refresh: async () => assertNoneRuns(processes.gateways) }),
    pool,
    databaseUrl: database.url,
    simulator,
    gateways: processes.gateways,
    workers: processes.workers,
    get transcripts() {
      return calls.map((call) => call.soFar)
    },
    startGateway: processes.startGateway,
    startWorker: processes.startWorker,
    startSimulator: simulators.start,
    call: (gateway, caller, body, path) => {
      const call = openCall({ ...caller, url: gateway.url, body, ...(path === undefined ? {} : { path }) })
      calls.push(call)
      return call
    },
    settleDown: async (heldForMs = leaseMs) => {
      await Promise.all(calls.map((call) => call.ended))
      await waitForQuiet({ pool, gateways: processes.gateways }, heldForMs)
    },
    unseen,
    noteUnseen: (id) => {
      unseen.add(id)
    },
    tell: (lines) => {
      tellers.push(lines)
    },
    get told() {
      return tellers.flatMap((lines) => lines())
    },
    defer: (end) => {
      ends.push(end)
    },
    close: async () => {
      await Promise.all(ends.map((end) => end()))
      await processes.killAll()
      simulators.killAll()
      await database.drop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Gateways read their routes at start, so that no drill has to wait for a refresh. */
function assertNoneRuns(gateways: readonly ServerProcess[]): void {
  assert.ok(
    gateways.every(({ isAlive }) => !isAlive),
    'upstreams are added before gateways are started',
  )
}

function createSimulators() {
  const running: SpawnedSimulator[] = []
  return {
    start: async (options?: SpawnOptions): Promise<SpawnedSimulator> => {
      const simulator = await spawnSimulator(options)
      running.push(simulator)
      return simulator
    },
    // Killed instead of closed, because a request may still wait at one of their gates.
    killAll: () => {
      for (const simulator of running) void simulator.kill()
    },
  }
}

function createProcesses(folder: string, environment: Record<string, string>) {
  const gateways: ServerProcess[] = []
  const workers: ServerProcess[] = []
  const start = async (command: 'gateway' | 'worker', options: GatewayOptions = {}): Promise<ServerProcess> => {
    const count = command === 'gateway' ? gateways.length : workers.length
    const { env = {}, nodeFlags = [], place = `${command}-${count}`, tree } = options
    const dataFolder = join(folder, place)
    await mkdir(dataFolder, { recursive: true })
    return startServerProcess({ command, dataFolder, nodeFlags, tree, env: { ...environment, ...env } })
  }
  return {
    gateways,
    workers,
    startWorker: async (options?: GatewayOptions): Promise<ServerProcess> => {
      const worker = await start('worker', options)
      workers.push(worker)
      return worker
    },
    startGateway: async (options?: GatewayOptions): Promise<ServerProcess> => {
      const gateway = await start('gateway', options)
      gateways.push(gateway)
      return gateway
    },
    killAll: async (): Promise<void> => {
      await Promise.all([...gateways, ...workers].filter(({ isAlive }) => isAlive).map((running) => running.kill()))
    },
  }
}
