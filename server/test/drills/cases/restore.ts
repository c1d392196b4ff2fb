import assert from 'node:assert/strict'
import type { Pool } from 'pg'
import { createPool } from '#store/postgres/create-pool.ts'
import { auditLedger } from '#store/postgres/reconciliation/audit-ledger.ts'
import type { Drill } from '../drill.ts'
import { addUpstream } from '../setup/add-upstream.ts'
import { type ArchivedPostgres, startArchivedPostgres } from '../setup/backup/start-archived-postgres.ts'
import { gatedStream } from '../setup/gated-stream.ts'
import { openHeldStreams, proveStreamsEnd } from '../setup/held-streams.ts'
import { loadScenario, startLoad } from '../setup/load.ts'
import { readMetric } from '../setup/read-metric.ts'

// A process runs one drill at a time.
const scene: { archived?: ArchivedPostgres } = {}

export const restore: Drill = {
  name: 'restore',
  requires: 'the disk of Postgres is lost: backup, archive and spools together have every charge that clients saw',
  long: true,
  openDatabase: async () => {
    scene.archived = await startArchivedPostgres()
    return scene.archived.database
  },
  async start(world) {
    const { archived } = scene
    assert.ok(archived !== undefined, 'the server was started')
    await addUpstream(world)
    const slow = await world.startSimulator()
    await addUpstream(world, { url: slow.url, name: 'slow', pattern: 'openai/gpt-4o-mini' })
    await world.simulator.play(loadScenario)
    const gateways = await Promise.all([world.startGateway(), world.startGateway()])
    const callers = await Promise.all(Array.from({ length: 3 }, () => world.createClient()))
    const figures: string[] = []
    world.tell(() => figures)
    return async (random, point) => {
      const load = startLoad(world, random, { targets: () => gateways, callers, clients: 6 })
      await load.waitForEnds(20)
      const backUpMs = await timed(archived.backUp)
      await load.waitForEnds(random.integer(20, 100))
      await load.stop()
      await world.settleDown()
      const then = await momentOf(world.pool)

      const later = startLoad(world, random, { targets: () => gateways, callers, clients: 6 })
      await later.waitForEnds(random.integer(20, 100))
      await later.stop()
      await world.settleDown()
      const archiveMs = await timed(archived.archiveAll)
      const repositoryMb = ((await archived.repositoryBytes()) / 1_000_000).toFixed(1)

      // Requests that start now are in no archive. Their holds are lost with the disk, and their settlements find no
      // Postgres.
      const gate = `restore-${point}`
      await slow.play(gatedStream(2, gate))
      const running = await openHeldStreams(world, random, { gateways, callers })
      await archived.lose()
      await slow.release(gate)
      await proveStreamsEnd(running)
      const spooled = await Promise.all(gateways.map((gateway) => readMetric(gateway, 'weir_spool_settlements')))
      assert.equal(
        spooled.reduce((sum, count) => sum + count, 0),
        running.length,
        'what clients saw is in the spools',
      )

      const asideMs = await timed(() => provePast(archived, then))
      const restoreMs = await timed(archived.restore)
      // The runner compares every client's view with the ledger once the spools are replayed.
      const replayMs = await timed(() => world.settleDown())
      const { charges } = await momentOf(world.pool)
      figures.push(
        `point ${point}: backup ${seconds(backUpMs)}, archive ${seconds(archiveMs)}, ${repositoryMb} MB in the repository`,
        `  to ${then.at}: ${then.charges} charges, books agree, ${seconds(asideMs)} with the audit`,
        `  to the end: ${charges} charges, restored in ${seconds(restoreMs)}, ${running.length} of them out of spools ${seconds(replayMs)} later`,
      )
    }
  },
}

interface Moment {
  /** By the clock of Postgres. */
  readonly at: string
  readonly charges: number
}

async function momentOf(pool: Pool): Promise<Moment> {
  const { rows } = await pool.query<Moment>(
    `SELECT clock_timestamp()::text AS at, (SELECT count(*)::integer FROM ledger_transfers WHERE kind = 'charge') AS charges`,
  )
  const [moment] = rows
  assert.ok(moment !== undefined, 'a row comes back')
  return moment
}

/** A server restored to that moment has the charges of that time, and its ledger agrees. */
async function provePast(archived: ArchivedPostgres, then: Moment): Promise<void> {
  const aside = await archived.restoreAside(then.at)
  const pool = createPool({ connectionString: aside.url, max: 2, onError: () => {} })
  try {
    assert.equal((await momentOf(pool)).charges, then.charges, 'the charges of that moment, no more and no fewer')
    assert.deepEqual(await auditLedger(pool, { overdueMs: 0 }), [], 'the books of that moment agree')
  } finally {
    await pool.end()
    await aside.remove()
  }
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const startedAtMs = Date.now()
  await act()
  return Date.now() - startedAtMs
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`
}
