import assert from 'node:assert/strict'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import type { Transcript } from '../setup/call.ts'
import type { PatroniNode } from '../setup/cluster/patroni-node.ts'
import { type Cluster, startCluster } from '../setup/cluster/start-cluster.ts'
import { type Load, loadScenario, startLoad } from '../setup/load.ts'
import { longestGapMs } from '../setup/longest-gap.ts'
import { median } from '../setup/median.ts'
import { proveServedOrRefused } from '../setup/prove-served.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { until } from '../setup/until.ts'

interface Fault {
  readonly name: string
  strike(node: PatroniNode, cluster: Cluster): Promise<void> | void
  /** The machine returns as a standby. */
  heal(node: PatroniNode): Promise<void> | void
}

const faults: readonly Fault[] = [
  { name: 'machine killed', strike: (node) => node.kill(), heal: (node) => node.start() },
  { name: 'machine frozen', strike: (node) => node.freeze(), heal: (node) => node.thaw() },
  { name: 'cut off from etcd', strike: (node) => node.cutFromEtcd(), heal: (node) => node.joinEtcd() },
  { name: 'switchover', strike: (_node, cluster) => cluster.switchOver(), heal: () => {} },
  { name: 'Postgres killed', strike: (node) => node.crashPostgres(), heal: () => {} },
]

// As in production: the gateway's Postgres timeouts are part of the measurement.
const env = { WEIR_MONEY_HOLD_DEADLINE_MS: '2000', WEIR_MONEY_SETTLE_DEADLINE_MS: '2000' }

// A process runs one drill at a time.
const scene: { cluster?: Cluster } = {}

export const failover: Drill = {
  name: 'failover',
  requires:
    'the primary of three Postgres killed, frozen, cut off and demoted under load: no charge is lost or doubled',
  alone: true,
  long: true,
  openDatabase: async () => {
    scene.cluster = await startCluster()
    return scene.cluster.database
  },
  async start(world) {
    const { cluster } = scene
    assert.ok(cluster !== undefined, 'the cluster was started')
    await addUpstream(world)
    await world.simulator.play(loadScenario)
    const callers = await Promise.all(Array.from({ length: 4 }, () => world.createClient()))
    const gateways = await Promise.all([world.startGateway({ env }), world.startGateway({ env })])
    const gaps = new Map<string, number[]>(faults.map(({ name }) => [name, []]))
    world.tell(() => [...gaps].map(([name, values]) => describe(name, values)))
    return async (random) => {
      for (const fault of random.shuffle(faults)) {
        await cluster.waitUntilWhole()
        const load = startLoad(world, random, { targets: () => gateways, callers, clients: 6 })
        await load.waitForEnds(random.integer(10, 60))
        const fromMs = Date.now()
        await strike(fault, cluster, { load, gateways, transcripts: () => world.transcripts })
        const seen = await load.stop()
        proveServedOrRefused(world, seen)
        gaps.get(fault.name)?.push(longestGapMs(seen, { fromMs, toMs: Date.now() }))
      }
    }
  },
}

/**
 * Ends when the cluster is whole again under another primary, and every gateway has served requests that started since.
 */
async function strike(
  fault: Fault,
  cluster: Cluster,
  scene: { load: Load; gateways: readonly ServerProcess[]; transcripts: () => readonly Transcript[] },
): Promise<void> {
  const struck = await cluster.findPrimary()
  assert.ok(struck !== null, 'there is a primary to strike')
  await fault.strike(struck, cluster)
  await until(async () => {
    const primary = await cluster.findPrimary()
    return primary === null || primary === struck ? `no other node is primary after: ${fault.name}` : null
  })
  await waitUntilServed(scene)
  await fault.heal(struck)
  await cluster.waitUntilWhole()
  await waitUntilServed(scene)
  await scene.load.waitForEnds(10)
}

async function waitUntilServed({
  gateways,
  transcripts,
}: {
  gateways: readonly ServerProcess[]
  transcripts: () => readonly Transcript[]
}): Promise<void> {
  const sinceMs = Date.now()
  const hasServed = ({ url }: ServerProcess): boolean =>
    transcripts().some(
      ({ gateway, startedAtMs, status, end }) =>
        gateway === url && startedAtMs > sinceMs && status === 200 && end === 'complete',
    )
  await until(async () => (gateways.every(hasServed) ? null : 'a gateway serves nothing'))
}

function describe(name: string, gapsMs: readonly number[]): string {
  const each = gapsMs.map(seconds).join(', ')
  return `${name.padEnd(20)} ${gapsMs.length} times; without service, in seconds: ${each} (median ${seconds(median(gapsMs))})`
}

function seconds(ms: number): string {
  return (ms / 1_000).toFixed(1)
}
