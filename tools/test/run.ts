import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { repositoryRoot } from '../lib/repository-root.ts'
import { runCommand } from '../lib/run-command.ts'
import { findVitestResults } from '../lib/vitest-results.ts'

const resultsPath = join(repositoryRoot, '.weir', 'test-results.json')

mkdirSync(join(repositoryRoot, '.weir'), { recursive: true })
// Results of an earlier run must not speak for one that crashed.
rmSync(resultsPath, { force: true })

const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${resultsPath}`]
const { code } = await runCommand(['vitest', 'run', ...reporters, ...process.argv.slice(2)], {
  cwd: join(repositoryRoot, 'server'),
  show: true,
})

const results = findVitestResults(resultsPath)
if (results === undefined) console.log('vitest wrote no results')
const tests = results?.tests ?? []
const passed = tests.filter(({ status }) => status === 'passed').length
const failed = tests.filter(({ status }) => status === 'failed').length + (results?.brokenFiles.length ?? 0)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = code
