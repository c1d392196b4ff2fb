import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPrivateRedis } from '#test/identity/private-redis.ts'
import type { Drill } from './drill.ts'
import { drills } from './drills.ts'
import { judgeInvariants } from './setup/invariants.ts'
import { createPrivatePostgres } from './setup/private-postgres.ts'
import { createRandom, seedFor } from './setup/random.ts'
import { createWorld, type Engines, type World } from './setup/world.ts'

/**
 * `npm run drill [-- NAME…] [-- --short] [-- --seed N]`: breaks real processes on engines of its own, at random points,
 * and checks after each that the books agree with what clients saw.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { short: { type: 'boolean' }, seed: { type: 'string' }, points: { type: 'string' } },
})

const seed = Number(values.seed ?? Math.floor(Math.random() * 1_000_000))
const points = Number(values.points ?? (values.short === true ? 2 : 5))
const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

// Everything the drills write is below one folder, which goes even when they are interrupted.
const folder = mkdtempSync(join(tmpdir(), 'weir-drills-'))
chmodSync(folder, 0o755)
process.env['TMPDIR'] = folder
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
// Not once: a second signal must not end the process while it cleans up.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130))
process.exitCode = (await runDrills(choose(positionals))) ? 0 : 1

/** By their names, or by how those begin: `kill` is every drill that kills. */
function choose(names: readonly string[]): readonly Drill[] {
  const unknown = names.find((name) => !drills.some((drill) => isMeant(drill, name)))
  if (unknown !== undefined) {
    throw new Error(`no drill is called ${unknown}; there are ${drills.map((drill) => drill.name).join(', ')}`)
  }
  return names.length === 0 ? drills : drills.filter((drill) => names.some((name) => isMeant(drill, name)))
}

function isMeant(drill: Drill, name: string): boolean {
  return drill.name === name || drill.name.startsWith(`${name}-`)
}

async function runDrills(chosen: readonly Drill[]): Promise<boolean> {
  say(`${chosen.length} drills, ${points} points each, seed ${seed} (repeat with --seed ${seed})`)
  const postgres = await createPrivatePostgres()
  const redis = await createPrivateRedis()
  await redis.start()
  // The part of `kill` that matters happens at once.
  process.on('exit', () => void redis.kill())
  process.env['WEIR_TEST_POSTGRES_URL'] = postgres.url
  const startedAtMs = Date.now()
  let failed = 0
  for (const drill of chosen) if (!(await runDrill(drill, { postgres, redis }))) failed += 1
  say(`${chosen.length - failed} passed, ${failed} failed in ${seconds(startedAtMs)}`)
  await Promise.all([postgres.remove(), redis.kill()])
  return failed === 0
}

async function runDrill(drill: Drill, engines: Engines): Promise<boolean> {
  const startedAtMs = Date.now()
  const random = createRandom(seedFor(seed, drill.name))
  const world = await createWorld(engines)
  let point = 0
  try {
    const strike = await drill.start(world)
    for (point = 1; point <= points; point += 1) {
      process.stderr.write(`  ${drill.name}: point ${point} of ${points}\n`)
      await strike(random, point, { isShort: values.short === true })
      await world.settleDown()
      const [first, ...others] = await judgeInvariants(world)
      if (first !== undefined)
        throw new Error(`${first.invariant}: ${first.what} (and ${others.length} more)\n${show(first.rows)}`)
    }
    say(`ok    ${drill.name.padEnd(24)} ${seconds(startedAtMs).padStart(7)}  ${await counts(world)}`)
    return true
  } catch (error) {
    say(
      `FAIL  ${drill.name.padEnd(24)} ${seconds(startedAtMs).padStart(7)}  at point ${point}; requires: ${drill.requires}`,
    )
    say(error instanceof Error ? (error.stack ?? error.message) : String(error))
    for (const gateway of world.gateways)
      say(`  log of ${gateway.url}:\n    ${warnings(gateway.logLines).join('\n    ')}`)
    return false
  } finally {
    await world.close()
  }
}

function warnings(lines: readonly string[]): readonly string[] {
  return lines
    .filter((line) => !line.includes('"level":30'))
    .slice(-12)
    .map((line) => line.slice(0, 600))
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

function seconds(sinceMs: number): string {
  return `${((Date.now() - sinceMs) / 1_000).toFixed(1)} s`
}

function show(rows: unknown): string {
  return JSON.stringify(rows, (_key, value: unknown) => (typeof value === 'bigint' ? value.toString() : value), 2)
}
