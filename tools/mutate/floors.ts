import type { Outcome } from './outcome.ts'

/** The least share of a file's mutants that tests of rules must notice, in percent, by path. */
export type Floors = ReadonlyMap<string, number>

export function parseFloors(text: string): Floors {
  const rows = text.split('\n').filter((line) => line !== '')
  return new Map(rows.map((line) => line.split('\t')).map(([path = '', floor]) => [path, Number(floor)]))
}

/** The floors that a run would set. Few points are left for mutants that a busy machine ends by their time. */
export function floorsOf(outcomes: readonly Outcome[]): Floors {
  const files = Map.groupBy(outcomes, ({ mutant }) => mutant.path)
  return new Map([...files].map(([path, ofFile]) => [path, Math.max(0, Math.floor(noticedPercent(ofFile)) - 3)]))
}

export function renderFloors(floors: Floors): string {
  return [...floors]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([path, floor]) => `${path}\t${floor}\n`)
    .join('')
}

/** A sentence for each file that fell below its floor. A file without one is new and must reach the goal of its area. */
export function judgeFloors(outcomes: readonly Outcome[], floors: Floors, goal: number): string[] {
  return [...Map.groupBy(outcomes, ({ mutant }) => mutant.path)].flatMap(([path, ofFile]) => {
    const floor = floors.get(path) ?? Math.floor(goal * 100)
    const share = noticedPercent(ofFile)
    if (share >= floor) return []
    return [`${path}: its tests notice ${share.toFixed(1)} % of its mutants, and ${floor} % are wanted`]
  })
}

function noticedPercent(outcomes: readonly Outcome[]): number {
  return (100 * outcomes.filter(({ fate }) => fate === 'noticed').length) / outcomes.length
}
