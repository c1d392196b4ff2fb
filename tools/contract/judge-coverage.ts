import type { TestResult } from '../lib/vitest-results.ts'
import { citedIds } from '../lib/cited-ids.ts'
import type { Clause } from './clauses.ts'

/**
 * A clause is covered if a test that cites it passed and no test that cites it failed or did not run. It is proven from
 * outside if such a test calls a running gateway.
 */
export function judgeCoverage(
  clauses: readonly Clause[],
  tests: readonly TestResult[],
  isBlackBox: (path: string) => boolean,
  kills: ReadonlyMap<string, number> = new Map(),
): ClauseVerdict[] {
  const [passed, failed, fromOutside] = [new Set<string>(), new Set<string>(), new Set<string>()]
  for (const { path, title, status } of tests) {
    for (const id of citedIds(title)) {
      if (status === 'passed') passed.add(id)
      else failed.add(id)
      if (status === 'passed' && isBlackBox(path)) fromOutside.add(id)
    }
  }
  return clauses.map((clause) => {
    const verdict = failed.has(clause.id) ? 'failing' : passed.has(clause.id) ? 'covered' : 'uncovered'
    return { clause, verdict, isFromOutside: fromOutside.has(clause.id), kills: kills.get(clause.id) ?? 0 }
  })
}

export type ClauseVerdict = {
  readonly clause: Clause
  readonly verdict: 'covered' | 'failing' | 'uncovered'
  /** Whether calls to a running gateway prove it, and not only its parts. */
  readonly isFromOutside: boolean
  /**
   * Mutants that the clause's tests caught in the last whole run of `npm run mutate`, which stops trying a mutant once
   * one test has caught it.
   */
  readonly kills: number
}
