import type { TestClient } from '#test/setup/accounts.ts'
import { findLastingPort } from '#test/setup/find-lasting-port.ts'
import type { SpawnedSimulator } from '#test/simulators/spawn-simulator.ts'
import { addUpstream } from '../add-upstream.ts'
import { loadScenario } from '../load.ts'
import type { ServerProcess } from '../server-process.ts'
import type { World } from '../world.ts'

/** A gateway and a worker that restart on the ports that Prometheus scrapes. */
export interface AlertScene {
  readonly ports: { readonly gateway: number; readonly worker: number }
  readonly gateway: ServerProcess
  readonly worker: ServerProcess
  startGateway(): Promise<void>
  startWorker(): Promise<void>
  /** The clients of the load. */
  readonly callers: readonly TestClient[]
  /** A client with its own wallet. */
  readonly lone: TestClient
  /** The upstream of `openai/gpt-4o-mini`. */
  readonly slow: SpawnedSimulator
}

// The shortest reconciliation interval, and a circuit breaker that opens as in production and retries soon.
const workerEnv = { WEIR_AUDIT_EVERY_MS: '1000', WEIR_EVENTS_NDJSON_FILE: 'events.ndjson' }
const gatewayEnv = { WEIR_BREAKER_FAILURES: '5', WEIR_BREAKER_OPEN_MS: '2000' }

export async function createAlertScene(world: World): Promise<AlertScene> {
  const slow = await world.startSimulator()
  await addUpstream(world)
  await addUpstream(world, { url: slow.url, name: 'slow', pattern: 'openai/gpt-4o-mini' })
  await world.simulator.play(loadScenario)
  const ports = { gateway: await findLastingPort(), worker: await findLastingPort() }
  const startGateway = (): Promise<ServerProcess> =>
    world.startGateway({ place: 'gateway', env: { ...gatewayEnv, WEIR_OPERATING_PORT: String(ports.gateway) } })
  const startWorker = (): Promise<ServerProcess> =>
    world.startWorker({ place: 'worker', env: { ...workerEnv, WEIR_WORKER_PORT: String(ports.worker) } })
  let [gateway, worker] = await Promise.all([startGateway(), startWorker()])
  const [lone, ...callers] = await Promise.all([world.createClient(), world.createClient(), world.createClient()])
  return {
    ports,
    get gateway() {
      return gateway
    },
    get worker() {
      return worker
    },
    startGateway: async () => {
      gateway = await startGateway()
    },
    startWorker: async () => {
      worker = await startWorker()
    },
    callers,
    lone,
    slow,
  }
}
