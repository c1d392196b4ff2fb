import assert from 'node:assert/strict'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestClient } from '#test/setup/accounts.ts'
import type { Random } from './random.ts'
import { readMetric } from './read-metric.ts'
import { type Retried, sendUntilAnswered } from './send-until-answered.ts'
import type { ServerProcess } from './server-process.ts'
import type { World } from './world.ts'

/** Gateways that wait for answers of each other, which they find in the same folder. */
export interface SharedAnswers {
  readonly world: World
  readonly caller: TestClient
  /** Three gateways; a dead one is replaced. */
  seats(): Promise<ServerProcess[]>
  /** One that dies at this failpoint, and whose claims end soon after. */
  startFatal(failpoint: string): Promise<ServerProcess>
  /** The number of charges of the caller. */
  charges(): Promise<number>
}

export async function shareAnswers(
  world: World,
  caller: TestClient,
  lease: 'WEIR_CACHE_LEASE_MS' | 'WEIR_RETRIES_LEASE_MS',
): Promise<SharedAnswers> {
  const folder = await mkdtemp(join(tmpdir(), 'answers-'))
  const env = { WEIR_BLOBS_FOLDER: folder, [lease]: '30000' }
  let running: ServerProcess[] = []
  return {
    world,
    caller,
    seats: async () => {
      const alive = running.filter(({ isAlive }) => isAlive)
      const started = await Promise.all(Array.from({ length: 3 - alive.length }, () => world.startGateway({ env })))
      running = [...alive, ...started]
      return running
    },
    startFatal: (failpoint) =>
      world.startGateway({ env: { ...env, [lease]: '1500', WEIR_FAILPOINTS: `${failpoint}=exit` } }),
    charges: async () => {
      const text = `SELECT count(*)::integer AS charges FROM ledger_transfers WHERE wallet_id = $1 AND kind = 'charge'`
      const { rows } = await world.pool.query<{ charges: number }>(text, [caller.walletId])
      return rows[0]?.charges ?? 0
    },
  }
}

/**
 * Sends one request from many clients to three gateways, and kills one of the two that wait for the answer. Returns the
 * answers of all clients.
 */
export async function killWaiting(
  { world }: SharedAnswers,
  random: Random,
  plan: {
    readonly gateways: readonly ServerProcess[]
    readonly request: Omit<Retried, 'gatewayFor'>
    readonly clients: number
    /** Where the upstream waits. */
    readonly gate: string
  },
): Promise<string[]> {
  const { gateways, request, clients, gate } = plan
  const alive = (): ServerProcess[] => gateways.filter(({ isAlive }) => isAlive)
  const answers = Array.from({ length: clients }, (_, client) =>
    sendUntilAnswered({ ...request, gatewayFor: (attempt) => pick(alive(), client + attempt) }),
  )
  await world.simulator.waitForGate(gate)
  const holds = await Promise.all(gateways.map((gateway) => readMetric(gateway, 'weir_holds_open')))
  const waiting = gateways.filter((_, position) => holds[position] === 0)
  assert.equal(waiting.length, 2, 'one gateway asks the upstream')
  await random.pick(waiting).kill()
  await world.simulator.release(gate)
  return Promise.all(answers)
}

function pick(gateways: readonly ServerProcess[], turn: number): ServerProcess {
  const gateway = gateways[turn % gateways.length]
  assert.ok(gateway !== undefined, 'a gateway is alive')
  return gateway
}
