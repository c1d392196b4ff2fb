import { alignColumns } from '../lib/align-columns.ts'
import type { Area } from './areas.ts'
import type { AreaOutcomes } from './mutate-area.ts'
import type { Outcome } from './outcome.ts'
import { findVerdict, oneLine, type Verdict } from './verdict.ts'

/** A table of areas, and whether each reached its goal. Equivalent mutants are left out of a score. */
export function reportAreas(results: readonly AreaOutcomes[], verdicts: readonly Verdict[]): MutationReport {
  const rows = results.map(({ area, byRules, byAll }) => {
    const [rules, all] = [scoreOf(byRules, verdicts), scoreOf(byAll, verdicts)]
    const counts = [
      byAll.length,
      countFate(byAll, 'noticed'),
      countFate(byAll, 'survived'),
      countFate(byAll, 'unreached'),
    ]
    const cells = [
      ...counts.map(String),
      String(all.equivalent),
      percent(rules.score),
      percent(all.score),
      percent(area.goal),
    ]
    return { area, cells, hasPassed: all.score >= area.goal }
  })
  const head = ['area', 'mutants', 'noticed', 'survived', 'unreached', 'equivalent', 'by rules', 'score', 'goal']
  return {
    lines: alignColumns([head, ...rows.map(({ area, cells }) => [area.name, ...cells])]),
    missed: rows.filter(({ hasPassed }) => !hasPassed).map(({ area }) => area),
  }
}

export interface MutationReport {
  readonly lines: readonly string[]
  readonly missed: readonly Area[]
}

export function scoreOf(
  outcomes: readonly Outcome[],
  verdicts: readonly Verdict[],
): { score: number; equivalent: number } {
  const living = outcomes.filter(({ fate }) => fate !== 'noticed')
  const equivalent = living.filter(({ mutant }) => findVerdict(verdicts, mutant)?.verdict === 'equivalent').length
  const counted = outcomes.length - equivalent
  return { score: counted === 0 ? 1 : (outcomes.length - living.length) / counted, equivalent }
}

/** One mutant that lives on in a line, in the columns of the verdicts. */
export function listSurvivors(outcomes: readonly Outcome[], verdicts: readonly Verdict[]): string[] {
  return outcomes
    .filter(({ fate }) => fate !== 'noticed')
    .map(({ mutant, fate }) => {
      const { path, original, replacement } = oneLine(mutant)
      const known = findVerdict(verdicts, mutant)
      const verdict = known === undefined ? ['to do', `${fate}, line ${mutant.line}`] : [known.verdict, known.reason]
      return [path, original, replacement, ...verdict].join('\t')
    })
}

export function percent(share: number): string {
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`
}

function countFate(outcomes: readonly Outcome[], fate: Outcome['fate']): number {
  return outcomes.filter((outcome) => outcome.fate === fate).length
}
