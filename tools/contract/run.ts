import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { repositoryRoot } from '../lib/repository-root.ts'
import { findVitestResults, type VitestResults } from '../lib/vitest-results.ts'
import { type Clause, parseClauses } from './clauses.ts'
import { findUnknownIds, judgeCoverage } from './judge-coverage.ts'
import { reportAll, reportArea } from './report.ts'
import { runCitingTests } from './run-citing-tests.ts'

// `--results` takes the JSON of a vitest run that already happened, so that the tests need not run twice.
const { values } = parseArgs({ options: { area: { type: 'string' }, results: { type: 'string' } } })

const everything = parseClauses(readContractFile('clauses.tsv'))
const clauses = everything.filter(({ area }) => values.area === undefined || area === values.area)
if (clauses.length === 0) throw new Error(`no clause belongs to the area ${values.area}`)

const { tests, brokenFiles } = await readResults(clauses)
for (const { path, message } of brokenFiles) console.log(`broken    ${path}\n${message}`)
for (const id of findUnknownIds(everything, tests)) console.log(`unknown   ${id} is cited but is no clause`)

const verdicts = judgeCoverage(clauses, tests)
const report = values.area === undefined ? reportAll(verdicts, readDoneAreas()) : reportArea(verdicts)
for (const line of report.lines) console.log(line)
process.exitCode = report.passed ? 0 : 1

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
