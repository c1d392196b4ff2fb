import type { ClauseVerdict } from './judge-coverage.ts'

/** One line for each clause that is not covered, then the count. */
export function reportArea(verdicts: readonly ClauseVerdict[]): Report {
  const open = verdicts.filter(({ verdict }) => verdict !== 'covered')
  const lines = open.map(({ clause, verdict }) => `${verdict.padEnd(9)} ${clause.id.padEnd(10)} ${clause.text}`)
  return { lines: [...lines, `covered ${countOf(verdicts)}`], passed: open.length === 0 }
}

/** A table of all areas, and the open clauses of those that were declared done, which alone can fail. */
export function reportAll(verdicts: readonly ClauseVerdict[], done: readonly string[]): Report {
  const areas = Map.groupBy(verdicts, ({ clause }) => clause.area)
  const unknown = done.filter((area) => !areas.has(area))
  if (unknown.length > 0) throw new Error(`no clause belongs to the area ${unknown.join(', ')}`)
  const open = verdicts.filter(({ clause, verdict }) => done.includes(clause.area) && verdict !== 'covered')
  const details = open.length === 0 ? [] : reportArea(open).lines.slice(0, -1)
  const table = [...areas].map(
    ([area, ofArea]) => `${area.padEnd(16)} ${countOf(ofArea).padStart(9)}${done.includes(area) ? '  done' : ''}`,
  )
  return { lines: [...details, ...table, `covered ${countOf(verdicts)}`], passed: open.length === 0 }
}

export type Report = { readonly lines: readonly string[]; readonly passed: boolean }

function countOf(verdicts: readonly ClauseVerdict[]): string {
  return `${verdicts.filter(({ verdict }) => verdict === 'covered').length}/${verdicts.length}`
}
