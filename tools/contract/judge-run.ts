import type { VitestResults } from '../lib/vitest-results.ts'
import { citedIds } from '../lib/cited-ids.ts'
import type { Clause } from './clauses.ts'

/** A test that cites more clauses proves none of them well. */
const citationsMax = 5

/** Faults that make a test run worthless as a proof, whatever passed in it: one line each. */
export function judgeRun(clauses: readonly Clause[], { tests, brokenFiles }: VitestResults): string[] {
  const broken = brokenFiles.map(({ path, message }) => `broken    ${path}\n${message}`)
  // A hook before the test failed, or the test was skipped.
  const notRun = tests.filter(({ status }) => status === 'notRun').map(({ title }) => `not run   ${title}`)
  const unknown = unknownIds(
    clauses,
    tests.map(({ title }) => title),
  ).map((id) => `unknown   ${id} is cited but is no clause`)
  const crowded = tests
    .filter(({ title }) => new Set(citedIds(title)).size > citationsMax)
    .map(({ title }) => `crowded   more than ${citationsMax} clauses in one test: ${title}`)
  return [...broken, ...notRun, ...unknown, ...crowded]
}

/** Cited ids that no clause has. Only ids of an existing family count, since `[UTF-8]` is not a clause. */
function unknownIds(clauses: readonly Clause[], titles: readonly string[]): string[] {
  const known = new Set(clauses.map(({ id }) => id))
  const families = new Set(clauses.map(({ id }) => familyOf(id)))
  const cited = new Set(titles.flatMap(citedIds))
  return [...cited].filter((id) => families.has(familyOf(id)) && !known.has(id)).sort()
}

const familyOf = (id: string) => id.split('-')[0]
