import type { Outcome } from './outcome.ts'
import { scoreOf } from './report.ts'
import type { Verdict } from './verdict.ts'

/** The results of a file's last recorded run. */
export interface Floor {
  /** Minimum share of the file's mutants that tests of rules must catch, in percent. */
  readonly rules: number
  /**
   * Share that the tests of that run caught, without equivalent mutants, in percent. Tests that did not run could raise
   * it; undefined if it was not counted.
   */
  readonly all: number | undefined
}

/** Floors by path. `unmeasured`: no run was recorded yet. `no mutants`: the file has only types. */
export type Floors = ReadonlyMap<string, Floor | 'unmeasured' | 'no mutants'>

/** Columns: path, minimum percentage by tests of rules, percentage noticed. */
export function parseFloors(text: string): Floors {
  const rows = text.split('\n').filter((line) => line !== '')
  return new Map(
    rows.map((line): [string, Floor | 'unmeasured' | 'no mutants'] => {
      const [path = '', rules = '', all = ''] = line.split('\t')
      if (rules === 'unmeasured' || rules === 'no mutants') return [path, rules]
      return [path, { rules: Number(rules), all: all === '' ? undefined : Number(all) }]
    }),
  )
}

export function renderFloors(floors: Floors): string {
  return [...floors]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, floor]) => {
      return typeof floor === 'string' ? `${path}\t${floor}\n` : `${path}\t${floor.rules}\t${floor.all ?? ''}\n`
    })
    .join('')
}

/** The floors that a run would set. They leave a few points for mutants that a busy machine times out. */
export function floorsOf(run: RecordedRun, verdicts: readonly Verdict[]): Map<string, Floor> {
  const all = Map.groupBy(run.byAll, ({ mutant }) => mutant.path)
  return new Map(
    [...Map.groupBy(run.byRules, ({ mutant }) => mutant.path)].map(([path, byRules]) => {
      const rules = Math.max(0, Math.floor(noticedPercent(byRules)) - 3)
      const { score } = scoreOf(all.get(path) ?? [], verdicts)
      return [path, { rules, all: Math.floor(score * 1_000) / 10 }]
    }),
  )
}

interface RecordedRun {
  readonly byRules: readonly Outcome[]
  readonly byAll: readonly Outcome[]
}

/**
 * One sentence per changed file that fell below its floor. A file without a floor is new and must reach its area's
 * goal; a file that was never measured is left to a whole run.
 */
export function judgeFloors(outcomes: readonly Outcome[], floors: Floors, goal: number): string[] {
  return [...Map.groupBy(outcomes, ({ mutant }) => mutant.path)].flatMap(([path, ofFile]) => {
    const known = floors.get(path) ?? { rules: Math.floor(goal * 100) }
    if (typeof known === 'string') return []
    const share = noticedPercent(ofFile)
    if (share >= known.rules) return []
    return [`${path}: its tests notice ${share.toFixed(1)} % of its mutants, and ${known.rules} % are wanted`]
  })
}

function noticedPercent(outcomes: readonly Outcome[]): number {
  return (100 * outcomes.filter(({ fate }) => fate === 'noticed').length) / outcomes.length
}
