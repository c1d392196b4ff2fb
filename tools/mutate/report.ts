import { alignColumns } from '../lib/align-columns.ts'
import type { AreaOutcomes } from './mutate-area.ts'
import type { Outcome } from './outcome.ts'
import { findVerdict, oneLine, type Verdict } from './verdict.ts'

/** A table of areas, and one line per file below its area's goal. Scores exclude equivalent mutants. */
export function reportAreas(results: readonly AreaOutcomes[], verdicts: readonly Verdict[]): MutationReport {
  const rows = results.map(({ area, byRules, byAll }) => {
    const [rules, all] = [scoreOf(byRules, verdicts), scoreOf(byAll, verdicts)]
    const fates = (['noticed', 'survived', 'unreached'] as const).map((fate) => countFate(byAll, fate))
    const counts = [byAll.length, ...fates, all.equivalent].map(String)
    return [area.name, ...counts, percent(rules.score), percent(all.score), percent(area.goal)]
  })
  const head = ['area', 'mutants', 'noticed', 'survived', 'unreached', 'equivalent', 'by rules', 'score', 'goal']
  return {
    lines: alignColumns([head, ...rows]),
    missed: results.flatMap(({ area, byAll }) => filesBelow(byAll, verdicts, area.goal)),
  }
}

interface MutationReport {
  readonly lines: readonly string[]
  /** One line per file with too many surviving mutants. */
  readonly missed: readonly string[]
}

function filesBelow(outcomes: readonly Outcome[], verdicts: readonly Verdict[], goal: number): string[] {
  return [...Map.groupBy(outcomes, ({ mutant }) => mutant.path)].flatMap(([path, ofFile]) => {
    const { score, equivalent } = scoreOf(ofFile, verdicts)
    if (score >= goal) return []
    const counts = `${countFate(ofFile, 'noticed')} of ${ofFile.length - equivalent}`
    return [`${path}: ${counts} noticed, ${percent(score)}, and ${percent(goal)} are wanted`]
  })
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

/** One surviving mutant per line, in the columns of the verdicts. */
export function listSurvivors(outcomes: readonly Outcome[], verdicts: readonly Verdict[]): string[] {
  return outcomes
    .filter(({ fate }) => fate !== 'noticed')
    .map(({ mutant, fate }) => {
      const { path, place, original, replacement } = oneLine(mutant)
      const known = findVerdict(verdicts, mutant)
      const verdict = known === undefined ? ['to do', `${fate}, line ${mutant.line}`] : [known.verdict, known.reason]
      return [path, place, original, replacement, ...verdict].join('\t')
    })
}

/** The table of survivors, with new lines for the mutated files. Lines of other files stay. */
export function replaceSurvivors(text: string, paths: ReadonlySet<string>, lines: readonly string[]): string {
  const others = text.split('\n').filter((line) => line !== '' && !paths.has(line.split('\t')[0] ?? ''))
  return [...others, ...lines].map((line) => `${line}\n`).join('')
}

function percent(share: number): string {
  return `${(Math.floor(share * 1_000) / 10).toFixed(1)} %`
}

function countFate(outcomes: readonly Outcome[], fate: Outcome['fate']): number {
  return outcomes.filter((outcome) => outcome.fate === fate).length
}
