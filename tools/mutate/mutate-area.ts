import { mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { copyTree } from '../lib/copy-tree.ts'
import { isTest } from '../lib/source-file.ts'
import { chooseTests, type References } from '../test/choose-tests.ts'
import { type Area, sourcesOf } from './areas.ts'
import { instrument, type Mutant } from './instrument.ts'
import { type Outcome, outcomesOf } from './outcome.ts'
import { tryAnew } from './switch/try-anew.ts'
import { readEntries } from './switch/journal.ts'
import type { Order } from './switch/order.ts'
import { runSwitched } from './switch/run-switched.ts'

/** Slower tests run after quicker ones, when fewer mutants are left. */
const quickMs = 25
/** Slow tests of rules per mutant in one process: property tests take seconds each. */
const slowPerMutant = 4
/** Tests that call a gateway, per mutant in one process. */
const callsPerMutant = 8

/**
 * Mutates the files of an area and reports the outcome of each mutant. It makes four passes, each for the mutants that
 * survived the one before: quick tests of rules, slow ones, a fresh process for mutants that act while a module is
 * loaded, and tests that call a gateway.
 */
export async function mutateArea(area: Area, options: MutateOptions): Promise<AreaOutcomes> {
  const tree = copyTree()
  process.once('exit', tree.remove)
  try {
    const ofArea = sourcesOf(tree.files.map(({ path }) => path)).filter((source) => source.area === area)
    const wanted = new Set(ofArea.map(({ path }) => path).filter((path) => options.isMutated(path)))
    const sources = tree.files.filter(({ path }) => wanted.has(path))
    const { files, mutants } = await instrument(sources)
    for (const { path, text } of files) tree.write(path, text)
    options.say(`${area.name}: ${mutants.length} mutants in ${files.length} files`)
    const folder = join(tree.root, '.mutants')
    mkdirSync(folder)
    const tests = tree.files.map(({ path }) => path).filter((path) => isTest(path) && !path.endsWith('.alone.test.ts'))
    const among = (starts: readonly string[]) => tests.filter((path) => starts.some((start) => path.startsWith(start)))
    const order = { folder, workers: options.workers, quickMs: Number.MAX_VALUE, triesPerMutant: Number.MAX_VALUE }
    const pass = async (name: string, paths: readonly string[], changes: Partial<Order>) => {
      const broken = await runSwitched(tree.root, paths, { ...order, skipsTried: false, hasEngines: false, ...changes })
      for (const path of broken) options.say(`${area.name}, ${name}: ${path} did not come to its end`)
      options.say(`${area.name}, ${name}: ${progress(outcomesOf(mutants, readEntries(folder)))}`)
    }
    await pass('quick rules', among(area.rules), { quickMs })
    await pass('slow rules', among(area.rules), { skipsTried: true, triesPerMutant: slowPerMutant })
    const testsNear = nearTests(options.references, tests)
    await tryAnew({ root: tree.root, folder, mutants, testsNear, workers: options.workers })
    const byRules = outcomesOf(mutants, readEntries(folder))
    options.say(`${area.name}, fresh processes: ${progress(byRules)}`)
    if (!options.hasCalls) return { area, byRules, byAll: byRules }
    await pass('calls', among(area.calls), { triesPerMutant: callsPerMutant, hasEngines: true })
    return { area, byRules, byAll: outcomesOf(mutants, readEntries(folder)) }
  } finally {
    process.off('exit', tree.remove)
    tree.remove()
  }
}

export interface AreaOutcomes {
  readonly area: Area
  /** Outcomes by tests that need no engine. */
  readonly byRules: readonly Outcome[]
  readonly byAll: readonly Outcome[]
}

interface MutateOptions {
  readonly references: References
  readonly workers: number
  /** Whether tests that call a gateway run too. */
  readonly hasCalls: boolean
  isMutated(path: string): boolean
  say(line: string): void
}

/**
 * The tests of rules that are the fewest imports away from a mutant's file: its own test first, then those of its
 * folder.
 */
function nearTests(references: References, tests: readonly string[]): (mutant: Mutant) => string[] {
  const rules = new Set(tests.filter((path) => /^(?:server|console)\/src\//.test(path)))
  return ({ path }) => {
    const chosen = chooseTests(references, [path], true)
    if (chosen.kind === 'all') return []
    const distance = (test: string) =>
      test === path.replace('.ts', '.test.ts') ? 0 : dirname(test) === dirname(path) ? 1 : 2
    const near = chosen.tests.filter((test) => rules.has(test))
    return near.toSorted((one, other) => distance(one) - distance(other)).slice(0, 6)
  }
}

function progress(outcomes: readonly Outcome[]): string {
  const noticed = outcomes.filter(({ fate }) => fate === 'noticed').length
  return `${noticed} of ${outcomes.length} noticed`
}
