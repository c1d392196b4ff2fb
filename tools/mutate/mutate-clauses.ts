import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { citedIds } from '../lib/cited-ids.ts'
import { isTest } from '../lib/source-file.ts'
import { copyTree } from '../lib/copy-tree.ts'
import { sourcesOf } from './areas.ts'
import { instrument } from './instrument.ts'
import { countKills } from './kills.ts'
import { outcomesOf } from './outcome.ts'
import { readEntries } from './switch/journal.ts'
import { runSwitched } from './switch/run-switched.ts'

/** The areas of the clauses about money, limits and access. */
const areaNames = new Set(['money', 'limits', 'access', 'accounts', 'pipeline', 'control'])
/**
 * Number of mutants, spread over all code that a test reaches, that are tried before the test counts as catching
 * nothing.
 */
const triesPerTest = 60

/**
 * Runs the tests that cite these clauses, one after another, against mutants that other tests may also catch. Each test
 * stops at the first mutant that it catches. Returns the number of caught mutants per clause.
 */
export async function mutateClauses(ids: readonly string[], options: ClauseOptions): Promise<Map<string, number>> {
  const tree = copyTree()
  process.once('exit', tree.remove)
  try {
    const mutated = sourcesOf(tree.files.map(({ path }) => path)).filter(({ area }) => areaNames.has(area.name))
    const paths = new Set(mutated.map(({ path }) => path))
    const { files, mutants } = await instrument(tree.files.filter(({ path }) => paths.has(path)))
    for (const { path, text } of files) tree.write(path, text)
    const folder = join(tree.root, '.mutants')
    mkdirSync(folder)
    const citing = tree.files.filter(({ path, text }) => isTest(path) && citedIds(text).some((id) => ids.includes(id)))
    const tests = citing
      .map(({ path }) => path)
      .filter((path) => path.startsWith('server/') && !path.includes('.alone.'))
    options.say(`${ids.length} clauses, ${tests.length} files that cite them, ${mutants.length} mutants`)
    const order = { folder, workers: options.workers, quickMs: Number.MAX_VALUE, triesPerMutant: Number.MAX_VALUE }
    const citation = { ids, triesPerTest }
    const broken = await runSwitched(tree.root, tests, { ...order, skipsTried: false, hasEngines: true, citation })
    for (const path of broken) options.say(`${path} did not come to its end`)
    const kills = countKills(outcomesOf(mutants, readEntries(folder)))
    return new Map([...kills].filter(([id]) => ids.includes(id)))
  } finally {
    process.off('exit', tree.remove)
    tree.remove()
  }
}

interface ClauseOptions {
  readonly workers: number
  say(line: string): void
}
