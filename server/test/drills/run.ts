import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { commitSeed } from '#test/setup/commit-seed.ts'
import type { Drill } from './drill.ts'
import { drills } from './drills.ts'
import { formatSeconds } from './lanes/format-seconds.ts'
import { runInLanes } from './lanes/run-in-lanes.ts'
import { canMount } from './setup/small-disk.ts'

/**
 * `npm run drill [-- NAME…] [-- --short] [-- --seed N] [-- --lanes N]`: breaks real processes on its own databases at
 * random points, and checks after each that the ledger agrees with the clients' view.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    short: { type: 'boolean', default: false },
    seed: { type: 'string' },
    points: { type: 'string' },
    lanes: { type: 'string', default: '3' },
  },
})

const seed = Number(values.seed ?? commitSeed())
const points = Number(values.points ?? (values.short ? 1 : 5))
const lanes = Number(values.lanes)
const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

// Everything the drills write is below one folder, which is removed even after an interruption.
const folder = mkdtempSync(join(tmpdir(), 'weir-drills-'))
chmodSync(folder, 0o755)
process.env['TMPDIR'] = folder
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
process.exitCode = (await runDrills(await leaveOut(choose(positionals)))) ? 0 : 1

/** Chooses drills by their names or prefixes: `kill` is every drill that kills. */
function choose(names: readonly string[]): readonly Drill[] {
  const unknown = names.find((name) => !drills.some((drill) => isMeant(drill, name)))
  if (unknown !== undefined) {
    throw new Error(`no drill is called ${unknown}; there are ${drills.map((drill) => drill.name).join(', ')}`)
  }
  if (names.length === 0) return values.short ? drills.filter(({ long }) => long !== true) : drills
  return drills.filter((drill) => names.some((name) => isMeant(drill, name)))
}

function isMeant(drill: Drill, name: string): boolean {
  return drill.name === name || drill.name.startsWith(`${name}-`)
}

/** Names the drills that this machine cannot run. */
async function leaveOut(chosen: readonly Drill[]): Promise<readonly Drill[]> {
  const mounting = chosen.filter(({ mounts }) => mounts)
  if (mounting.length === 0 || (await canMount())) return chosen
  for (const { name } of mounting) say(`${name} is left out: it mounts a disk, and nothing can be mounted here`)
  return chosen.filter(({ mounts }) => mounts !== true)
}

async function runDrills(chosen: readonly Drill[]): Promise<boolean> {
  say(`${chosen.length} drills in ${lanes} lanes, ${points} points each, seed ${seed} (repeat with --seed ${seed})`)
  const startedAtMs = Date.now()
  let failed = 0
  await runInLanes(chosen, {
    lanes,
    order: { seed, points, isShort: values.short },
    onReport: ({ hasPassed, lines }) => {
      if (!hasPassed) failed += 1
      for (const line of lines) say(line)
    },
  })
  say(`${chosen.length - failed} passed, ${failed} failed in ${formatSeconds(startedAtMs)}`)
  return failed === 0
}
