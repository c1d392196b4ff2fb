import assert from 'node:assert/strict'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { loadScenario, startLoad } from '../setup/load.ts'
import { proveServedOrRefused } from '../setup/prove-served.ts'
import { readMetrics } from '../setup/read-metric.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { createSmallDisk } from '../setup/small-disk.ts'
import { until } from '../setup/until.ts'
import type { World } from '../setup/world.ts'

const megabytes = 64
/**
 * So many requests are in progress when the disk fills that their settlements do not fit into existing pages of the
 * tables.
 */
const clients = 48

export const diskFull: Drill = {
  name: 'disk-full',
  requires:
    'the disk of Postgres is full: calls are served or refused with 503, pages are read, settles wait on the own disk and are made up for',
  mounts: true,
  hasOwnWorkers: true,
  async start(world) {
    await addUpstream(world)
    const fill = await moveToSmallDisk(world)
    await world.startWorker()
    await world.simulator.play(loadScenario)
    const gateways = await Promise.all([world.startGateway(), world.startGateway()])
    const callers = await Promise.all(Array.from({ length: 3 }, () => world.createClient()))
    return async (random) => {
      const load = startLoad(world, random, { targets: () => gateways, callers, clients })
      await load.waitForEnds(random.integer(5, 30))
      const makeRoom = await fill()
      try {
        await until(async () => ((await waitingIn(gateways)) > 0 ? null : 'no settle was refused for want of room'))
        await load.waitForEnds(random.integer(10, 40))
        await proveReads(random.pick(gateways), random.pick(callers))
      } finally {
        await makeRoom()
      }
      await load.waitForEnds(random.integer(5, 25))
      const seen = await load.stop()
      proveServedOrRefused(world, seen)
    }
  },
}

/** Moves all tables to their own disk. The Postgres WAL stays in place, as for operators who separate them. */
async function moveToSmallDisk(world: World): Promise<() => Promise<() => Promise<void>>> {
  const { pool } = world
  const disk = await createSmallDisk(megabytes)
  const name = `small_${process.pid}_${Date.now()}`
  const move = async (from: string, to: string): Promise<void> => {
    for (const kind of ['TABLE', 'INDEX'])
      await pool.query(`ALTER ${kind} ALL IN TABLESPACE ${from} SET TABLESPACE ${to}`)
  }
  await pool.query(`CREATE TABLESPACE ${name} LOCATION '${disk.folder}'`)
  await move('pg_default', name)
  world.defer(async () => {
    await Promise.all([...world.gateways, ...world.workers].map((running) => running.kill()))
    await disk.empty()
    await move(name, 'pg_default')
    await pool.query(`DROP TABLESPACE ${name}`)
    await disk.remove()
  })
  return async () => {
    await disk.fill()
    return disk.empty
  }
}

async function waitingIn(gateways: readonly ServerProcess[]): Promise<number> {
  const counts = await Promise.all(gateways.map((gateway) => readMetrics(gateway, ['weir_spool_settlements'])))
  return counts.flat().reduce((sum, count) => sum + count, 0)
}

async function proveReads({ url }: ServerProcess, { key }: { key: string }): Promise<void> {
  for (const path of ['/v1/models', '/v1/key', '/v1/credits']) {
    const response = await fetch(url + path, { headers: { authorization: `Bearer ${key}` } })
    assert.equal(response.status, 200, `${path}: ${await response.text()}`)
  }
}
