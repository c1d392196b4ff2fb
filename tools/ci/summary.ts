import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { repositoryRoot } from '../lib/repository-root.ts'
import { findVitestResults } from '../lib/vitest-results.ts'
import { countRun } from './count-run.ts'

// `node tools/ci/summary.ts [--failed <step>] <step that passed>…` prints the last line of a run.
const { values, positionals } = parseArgs({ allowPositionals: true, options: { failed: { type: 'string' } } })

// Results of an earlier run do not count for a run that ended before its tests.
const wereTestsRun = positionals.includes('test') || values.failed === 'test'
const results = wereTestsRun ? findVitestResults(join(repositoryRoot, '.weir', 'test-results.json')) : undefined
const { passed, failed } = countRun({ results, passedSteps: positionals, failedStep: values.failed })
if (values.failed !== undefined) console.log(`The step ${values.failed} failed.`)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1
