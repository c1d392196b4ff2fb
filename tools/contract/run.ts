import { readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { listFiles } from '../lib/list-files.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { findVitestResults, type VitestResults } from '../lib/vitest-results.ts'
import { findBlackBoxTests } from './black-box.ts'
import { type Clause, parseClauses } from './clauses.ts'
import { judgeCoverage } from './judge-coverage.ts'
import { judgeRun } from './judge-run.ts'
import { parseKills } from './parse-kills.ts'
import { reportAll, reportArea } from './report.ts'
import { runCitingTests } from './run-citing-tests.ts'

/**
 * `npm run contract [-- --area NAME] [-- --clauses]`: runs the tests that cite clauses and reports which clauses hold,
 * which are proven by calls to a running gateway, and how many mutants their tests noticed. `--results` takes the JSON
 * of an earlier vitest run, so that the tests need not run twice.
 */
const { values } = parseArgs({
  options: { area: { type: 'string' }, clauses: { type: 'boolean', default: false }, results: { type: 'string' } },
})

const everything = parseClauses(readContractFile('clauses.tsv'))
const clauses = everything.filter(({ area }) => values.area === undefined || area === values.area)
if (clauses.length === 0) throw new Error(`no clause belongs to the area ${values.area}`)

const results = await readResults(clauses)
const faults = judgeRun(everything, results)
for (const fault of faults) console.log(fault)

const blackBox = findBlackBoxTests(listFiles(repositoryRoot))
const isBlackBox = (path: string) => blackBox.has(relative(repositoryRoot, path))
const verdicts = judgeCoverage(clauses, results.tests, isBlackBox, parseKills(readContractFile('kills.tsv')))
const report = values.area === undefined ? reportAll(verdicts, readDoneAreas(), values.clauses) : reportArea(verdicts)
for (const line of report.lines) console.log(line)
process.exitCode = report.passed && faults.length === 0 ? 0 : 1

async function readResults(wanted: readonly Clause[]): Promise<VitestResults> {
  if (values.results === undefined) return runCitingTests(repositoryRoot, new Set(wanted.map(({ id }) => id)))
  const results = findVitestResults(resolve(values.results))
  if (results === undefined) throw new Error(`there is no ${values.results}`)
  return results
}

function readDoneAreas(): string[] {
  return readContractFile('done.txt')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

function readContractFile(name: string): string {
  return readFileSync(join(repositoryRoot, 'docs', 'contract', name), 'utf8')
}
