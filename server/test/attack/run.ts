import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createPrivatePostgres } from '#test/drills/setup/private-postgres.ts'
import type { Engines } from '#test/drills/setup/world.ts'
import { formatSeconds } from '#test/drills/lanes/format-seconds.ts'
import { createPrivateRedis } from '#test/identity/private-redis.ts'
import { commitSeed } from '#test/setup/commit-seed.ts'
import { findEngineFolder } from '#test/setup/find-engine-folder.ts'
import type { Area } from './area.ts'
import { areas } from './areas.ts'
import { type AttackWorld, createAttackWorld } from './setup/attack-world.ts'
import { runArea } from './setup/run-area.ts'

/**
 * `npm run attack [-- --area NAME…] [-- --short] [-- --seed N] [-- --only TEXT]`: a hostile client against two gateways
 * and a worker with their own databases. It exits with 1 if anything deviates from the contract.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    area: { type: 'string', multiple: true, default: [] },
    short: { type: 'boolean', default: false },
    seed: { type: 'string' },
    only: { type: 'string' },
  },
})

const seed = Number(values.seed ?? commitSeed())
const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

// Everything the attack writes is below one folder, which is removed even after an interruption.
const folder = mkdtempSync(join(tmpdir(), 'weir-attack-'))
chmodSync(folder, 0o755)
process.env['TMPDIR'] = folder
process.on('exit', () => rmSync(folder, { recursive: true, force: true }))

const engines = await startEngines()
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, async () => {
    await stopEngines(engines)
    process.exit(130)
  })
}
try {
  process.exitCode = (await runAreas(choose([...values.area, ...positionals]))) ? 0 : 1
} finally {
  await stopEngines(engines)
}
// Half-open sockets of an attack must not delay the exit.
process.exit()

function choose(names: readonly string[]): readonly Area[] {
  const unknown = names.find((name) => !areas.some((area) => area.name === name))
  if (unknown !== undefined) {
    throw new Error(`no area is called ${unknown}; there are ${areas.map(({ name }) => name).join(', ')}`)
  }
  return names.length === 0 ? areas : areas.filter(({ name }) => names.includes(name))
}

async function runAreas(chosen: readonly Area[]): Promise<boolean> {
  say(`${chosen.length} areas, seed ${seed}`)
  let [tried, found] = [0, 0]
  const startedAtMs = Date.now()
  let world: AttackWorld | null = null
  for (const area of chosen) {
    world ??= await createAttackWorld(engines)
    const outcome = await runArea(area, world, { seed, isShort: values.short, only: values.only ?? null, say })
    tried += outcome.tried
    found += outcome.found
    if (world.servers.every(({ isAlive }) => isAlive)) continue
    // The next area must not be judged by processes that this one killed.
    await world.close()
    world = null
  }
  await world?.close()
  say(
    `${tried.toLocaleString('en')} attempts in ${chosen.length} areas: ${found} findings, ${formatSeconds(startedAtMs)}`,
  )
  return found === 0
}

async function startEngines(): Promise<Engines> {
  const parentFolder = await findEngineFolder()
  const [postgres, redis] = await Promise.all([createPrivatePostgres({ parentFolder }), createPrivateRedis()])
  await redis.start()
  process.env['WEIR_TEST_POSTGRES_URL'] = postgres.url
  return { postgres, redis }
}

async function stopEngines({ postgres, redis }: Engines): Promise<void> {
  await Promise.all([postgres.remove(), redis.remove()])
}
