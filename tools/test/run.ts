import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { findChangedFiles } from '../lib/changed-files.ts'
import { countOf } from '../lib/count-of.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { runCommand } from '../lib/run-command.ts'
import { findVitestResults } from '../lib/vitest-results.ts'
import { chooseTests } from './choose-tests.ts'
import { fileTimesPath, findFileTimes } from './file-time.ts'
import { parseTestArguments, type TestArguments } from './parse-test-arguments.ts'
import { readAllReferences } from './read-all-references.ts'
import { reportFailures, reportSlowest } from './report-run.ts'
import { startBurners } from './start-burners.ts'
import { recordRun } from './test-history.ts'

/**
 * `npm test [-- --stress] [-- --changed [REF] [--near]] [-- arguments of vitest]`: runs the tests, optionally beside
 * processes that keep every core busy, or only those that a change affects. Records failures and shows them after each
 * run.
 */
const folder = join(repositoryRoot, '.weir')
const resultsPath = join(folder, 'test-results.json')
const historyPath = join(folder, 'test-history.jsonl')

mkdirSync(folder, { recursive: true })
// Results of an earlier run must not count for a run that crashed.
for (const path of [resultsPath, fileTimesPath]) rmSync(path, { force: true })

const options = parseTestArguments(process.argv.slice(2))
const paths = options.isChanged ? chooseChangedTests(options) : []
if (paths === null) console.log('0 passed, 0 failed')
else process.exitCode = await runTests(options, paths)

/** Paths of the tests that the change affects: empty for all tests, null for none. */
function chooseChangedTests({ reference, isNear }: TestArguments): string[] | null {
  const { paths: changed, span } = findChangedFiles(repositoryRoot, reference)
  const chosen = chooseTests(readAllReferences(repositoryRoot), changed, isNear)
  const files = `${countOf(changed.length, 'file')} changed (${span})`
  if (chosen.kind === 'all') {
    console.log(`${files}; ${chosen.because} may concern every test, so all of them run`)
    return []
  }
  const tests = countOf(chosen.tests.length, 'test file')
  const leftOut = isNear ? `; ${chosen.leftOut} more reach them from further away and do not run` : ''
  console.log(`${files}; ${tests} ${isNear ? 'near' : 'concerned'}${leftOut}`)
  return chosen.tests.length === 0 ? null : chosen.tests.map((path) => join(repositoryRoot, path))
}

async function runTests({ isStress, vitest }: TestArguments, filters: readonly string[]): Promise<number> {
  const reporters = ['default', 'json', join(import.meta.dirname, 'file-times-reporter.ts')]
  const command = [
    'vitest',
    'run',
    ...reporters.map((name) => `--reporter=${name}`),
    `--outputFile.json=${resultsPath}`,
  ]
  const burners = isStress ? startBurners(availableParallelism()) : null
  if (burners !== null) console.log(`stress: ${burners.processes.length} processes burn a core each beside the tests`)
  const run = runCommand([...command, ...vitest, ...filters], { cwd: join(repositoryRoot, 'server'), show: true })
  const { code, elapsedMs } = await run.finally(() => burners?.stop())
  report(isStress, elapsedMs)
  return code
}

function report(isStress: boolean, elapsedMs: number): void {
  const times = findFileTimes()
  if (times !== undefined) {
    const runs = recordRun(historyPath, {
      date: new Date().toISOString(),
      commit: describeCommit(),
      isStress,
      seconds: Math.round(elapsedMs / 1_000),
      files: times.length,
      failed: times.filter(({ hasFailed }) => hasFailed).map(({ path }) => path),
    })
    console.log([...reportSlowest(times), '', ...reportFailures(runs), ''].join('\n'))
  }
  const results = findVitestResults(resultsPath)
  if (results === undefined) console.log('vitest wrote no results')
  const tests = results?.tests ?? []
  const passed = tests.filter(({ status }) => status === 'passed').length
  const failed = tests.filter(({ status }) => status === 'failed').length + (results?.brokenFiles.length ?? 0)
  console.log(`${passed} passed, ${failed} failed`)
}

function describeCommit(): string {
  const args = ['describe', '--always', '--dirty=+', '--abbrev=10', '--exclude=*']
  try {
    return execFileSync('git', args, { cwd: repositoryRoot, encoding: 'utf8' }).trim()
  } catch {
    // The tests also run outside a repository.
    return 'unknown'
  }
}
