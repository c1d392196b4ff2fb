import { commitSeed } from '#test/setup/commit-seed.ts'
import { takeOver } from './machine/take-over.ts'
import { runSeeds, type SeedReport } from './run-seeds.ts'
import { ModelStore } from './store/model-store.ts'
import { openSimulatedPostgres } from './store/open-postgres.ts'
import { SqlStore } from './store/sql-store.ts'
import type { Profile } from './profile.ts'
import type { StoreFactory } from './world.ts'

export interface SimulateOptions {
  /** The first seed. Null means 1, or the commit's seed in short runs. */
  readonly from: number | null
  readonly isShort: boolean
  readonly isReplay: boolean
  readonly modelSeeds: number
  readonly sqlSeeds: number
  readonly plant: string | null
}

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/**
 * Runs seeds over the model and over Postgres; false if a seed failed. With a planted fault, the first failure ends it.
 */
export async function simulate(options: SimulateOptions): Promise<boolean> {
  takeOver()
  // Worlds create errors all the time without reading their stacks; collecting those took a tenth of the time.
  Error.stackTraceLimit = options.isReplay ? 10 : 0
  const from = options.from ?? (options.isShort ? commitSeed() : 1)
  if (options.plant === null && !options.isReplay && !(await isRepeatable(from))) return false
  const isSound = await runOver('the model', { ...options, from, count: options.modelSeeds }, modelStore)
  if (options.sqlSeeds === 0 || (options.plant !== null && !isSound)) return isSound
  const postgres = await openSimulatedPostgres(options.plant)
  try {
    const createStore: StoreFactory = (profile, onDifference) =>
      new SqlStore({ pool: postgres.pool, mayCrash: mayCrash(profile), onDifference })
    const onSeed = postgres.empty
    return (await runOver('Postgres', { ...options, from, count: options.sqlSeeds, onSeed }, createStore)) && isSound
  } finally {
    await postgres.close()
  }
}

/** A seed must behave the same alone as among others: otherwise printing it would be useless. */
async function isRepeatable(from: number): Promise<boolean> {
  const figuresOf = async (together: number): Promise<string[]> => {
    const lines: string[] = []
    const onReport = ({ seed, figures }: SeedReport): boolean => lines.push(`${seed} ${JSON.stringify(figures)}`) > 0
    await runSeeds({ seeds: upwards(from, 20), together, createStore: modelStore, onReport })
    return lines.sort()
  }
  const [alone, beside] = [await figuresOf(1), await figuresOf(20)]
  const differing = alone.find((line, position) => line !== beside[position])
  if (differing !== undefined) say(`a seed is not repeatable: ${differing}`)
  return differing === undefined
}

const modelStore: StoreFactory = (profile) => new ModelStore({ mayCrash: mayCrash(profile) })

function mayCrash(profile: Profile): boolean {
  return profile.outages.some(({ losesCommits }) => losesCommits)
}

interface Part extends Omit<SimulateOptions, 'from'> {
  readonly from: number
  readonly count: number
  /** Runs before each seed; such seeds run one after another. */
  readonly onSeed?: () => Promise<void>
}

async function runOver(what: string, part: Part, createStore: StoreFactory): Promise<boolean> {
  const { from, count, onSeed } = part
  if (count === 0) return true
  const tally = createTally()
  const before = process.cpuUsage()
  await runSeeds({
    seeds: upwards(from, count),
    together: onSeed === undefined && !part.isReplay ? 50 : 1,
    createStore,
    ...(onSeed === undefined ? {} : { onSeed }),
    ...(part.isReplay ? { trace: say } : {}),
    onReport: (report) => {
      tally.add(report)
      return part.plant === null || tally.failed === 0
    },
  })
  const { user, system } = process.cpuUsage(before)
  const seconds = ((user + system) / 1e6).toFixed(1)
  say(`${what}: ${tally.ran} seeds from ${from}, ${tally.failed} failed; ${tally.text()}; ${seconds} s of CPU`)
  return tally.failed === 0
}

function* upwards(from: number, count: number): Generator<number> {
  for (let seed = from; seed < from + count; seed += 1) yield seed
}

const shownMax = 5

function createTally() {
  const sums: Record<string, number> = {}
  let ran = 0
  let failed = 0
  return {
    get ran() {
      return ran
    },
    get failed() {
      return failed
    },
    add: ({ seed, violations, figures }: SeedReport): void => {
      ran += 1
      for (const [name, count] of Object.entries(figures)) sums[name] = (sums[name] ?? 0) + count
      if (violations.length === 0) return
      failed += 1
      if (failed > shownMax) return
      say(`seed ${seed} failed (npm run simulate -- --seed ${seed})`)
      for (const violation of violations.slice(0, 3)) say(`  ${violation}`)
    },
    text: (): string =>
      Object.entries(sums)
        .map(([name, count]) => `${count} ${name}`)
        .join(', '),
  }
}
