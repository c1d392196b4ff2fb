import { setTimeout as wait } from 'node:timers/promises'
import type { Drill } from '../drill.ts'
import { judgeInvariants } from '../setup/invariants.ts'
import { createRandom, seedFor } from '../setup/random.ts'
import type { ServerProcess } from '../setup/server-process.ts'
import { createWorld, type Engines, type World } from '../setup/world.ts'
import type { DrillOrder, DrillReport } from './drill-order.ts'
import { formatSeconds } from './format-seconds.ts'

// Only ends a hung drill: no drill takes a quarter of this time, however busy the machine is.
const hangMs = 3_600_000

/** Runs all points of a drill in its own world, and judges the invariants after each. */
export async function runDrill(drill: Drill, engines: Engines, order: DrillOrder): Promise<DrillReport> {
  const startedAtMs = Date.now()
  const headline = (word: string): string =>
    `${word.padEnd(5)} ${drill.name.padEnd(24)} ${formatSeconds(startedAtMs).padStart(7)}`
  const progress: Progress = { point: 0, told: [], logs: [] }
  try {
    const outcome = await runInWorld(drill, engines, { order, progress })
    return { hasPassed: true, lines: [`${headline('ok')}  ${outcome}`, ...progress.told] }
  } catch (error) {
    const where = `at point ${progress.point}; requires: ${drill.requires}`
    const what = error instanceof Error ? (error.stack ?? error.message) : String(error)
    return { hasPassed: false, lines: [`${headline('FAIL')}  ${where}`, ...progress.told, what, ...progress.logs] }
  }
}

/** The progress of a drill, its messages, and the logs of its processes after a failure. */
interface Progress {
  point: number
  told: readonly string[]
  logs: readonly string[]
}

async function runInWorld(
  drill: Drill,
  engines: Engines,
  { order, progress }: { order: DrillOrder; progress: Progress },
): Promise<string> {
  const world = await createWorld(engines, {
    hasWorker: drill.hasOwnWorkers !== true,
    openDatabase: drill.openDatabase,
  })
  const ended = new AbortController()
  const hung = wait(hangMs, null, { signal: ended.signal }).then(() => {
    throw new Error(`the drill was still running after ${hangMs} ms`)
  })
  hung.catch(() => {})
  try {
    await Promise.race([strikeAll(drill, world, { order, progress }), hung])
    return await counts(world)
  } catch (error) {
    progress.logs = [...world.gateways, ...world.workers].map(logOf)
    throw error
  } finally {
    ended.abort()
    progress.told = world.told.map((line) => `  ${line}`)
    await world.close()
  }
}

async function strikeAll(
  drill: Drill,
  world: World,
  { order: { seed, points, isShort }, progress }: { order: DrillOrder; progress: Progress },
): Promise<void> {
  const random = createRandom(seedFor(seed, drill.name))
  const strike = await drill.start(world)
  for (progress.point = 1; progress.point <= points; progress.point += 1) {
    process.stderr.write(`  ${drill.name}: point ${progress.point} of ${points}\n`)
    await strike(random, progress.point, { isShort })
    await world.settleDown()
    const [first, ...others] = await judgeInvariants(world)
    if (first !== undefined)
      throw new Error(`${first.invariant}: ${first.what} (and ${others.length} more)\n${show(first.rows)}`)
  }
}

/** The last warnings and errors of a process. */
function logOf({ url, pid, logLines }: ServerProcess): string {
  const lines = logLines
    .filter((line) => !line.includes('"level":30'))
    .slice(-12)
    .map((line) => line.slice(0, 600))
  return [`  log of ${url === '' ? `worker ${pid}` : url}:`, ...lines].join('\n    ')
}

async function counts(world: World): Promise<string> {
  const { rows } = await world.pool.query<{ charged: string; refunded: string; lapsed: string }>(
    `SELECT count(*) FILTER (WHERE cost_nano > 0) AS charged, count(*) FILTER (WHERE cost_nano = 0) AS refunded,
      (SELECT count(*) FROM lapsed_holds) AS lapsed FROM generations`,
  )
  const [row] = rows
  const broken = world.transcripts.filter((seen) => seen.end === 'broken').length
  const refused = world.transcripts.filter((seen) => seen.end === 'complete' && seen.status !== 200).length
  return `${world.transcripts.length} calls: ${row?.charged} charged, ${row?.refunded} refunded, ${row?.lapsed} lapsed, ${refused} refused, ${broken} broken`
}

function show(rows: unknown): string {
  return JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value), 2)
}
