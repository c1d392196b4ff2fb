import type { TestResult } from '../lib/vitest-results.ts'
import { citedIds } from './cited-ids.ts'
import type { Clause } from './clauses.ts'

/** A clause is covered when a test that cites it passed and none that cites it failed. */
export function judgeCoverage(clauses: readonly Clause[], tests: readonly TestResult[]): ClauseVerdict[] {
  const passed = new Set<string>()
  const failed = new Set<string>()
  for (const { title, status } of tests) {
    for (const id of citedIds(title)) {
      if (status === 'passed') passed.add(id)
      if (status === 'failed') failed.add(id)
    }
  }
  return clauses.map((clause) => {
    const verdict = failed.has(clause.id) ? 'failing' : passed.has(clause.id) ? 'covered' : 'uncovered'
    return { clause, verdict }
  })
}

export type ClauseVerdict = { readonly clause: Clause; readonly verdict: 'covered' | 'failing' | 'uncovered' }

/** Ids that tests cite and nobody wrote; only those whose family exists, since `[UTF-8]` is no clause. */
export function findUnknownIds(clauses: readonly Clause[], tests: readonly TestResult[]): string[] {
  const known = new Set(clauses.map(({ id }) => id))
  const families = new Set(clauses.map(({ id }) => familyOf(id)))
  const cited = new Set(tests.flatMap(({ title }) => citedIds(title)))
  return [...cited].filter((id) => families.has(familyOf(id)) && !known.has(id)).sort()
}

const familyOf = (id: string) => id.split('-')[0]
