import type { ClauseVerdict } from './judge-coverage.ts'
import { needsKill } from './needs-kill.ts'

/** One line per clause, and how many are covered. */
export function reportArea(verdicts: readonly ClauseVerdict[]): Report {
  const lines = verdicts.map(lineOf)
  return { lines: [...lines, `covered ${countOf(verdicts)}`], passed: openOf(verdicts).length === 0 }
}

/**
 * A table of all areas, optionally one line per clause, the clauses that no call to a gateway proves, and the open
 * clauses of areas that were declared done.
 */
export function reportAll(verdicts: readonly ClauseVerdict[], done: readonly string[], hasClauses = false): Report {
  const areas = Map.groupBy(verdicts, ({ clause }) => clause.area)
  const unknown = done.filter((area) => !areas.has(area))
  if (unknown.length > 0) throw new Error(`no clause belongs to the area ${unknown.join(', ')}`)
  const open = openOf(verdicts.filter(({ clause }) => done.includes(clause.area)))
  const table = [...areas].map(
    ([area, ofArea]) =>
      `${area.padEnd(16)} ${countOf(ofArea).padStart(9)} ${outsideOf(ofArea).padStart(13)} ${killsOf(ofArea).padStart(8)}${done.includes(area) ? '  done' : ''}`,
  )
  const idle = idleOf(verdicts)
  const inside = verdicts.filter(({ isFromOutside }) => !isFromOutside).map(({ clause }) => clause.id)
  return {
    lines: [
      ...(hasClauses ? verdicts : open).map(lineOf),
      `${'area'.padEnd(16)} ${'covered'.padStart(9)} ${'from outside'.padStart(13)} ${'mutants'.padStart(8)}`,
      ...table,
      ...(inside.length === 0 ? [] : [`proven by parts of the gateway alone: ${inside.join(', ')}`]),
      ...idle.map(
        ({ clause }) => `no mutant stands behind ${clause.id}: run npm run mutate -- --clauses, or sharpen its tests`,
      ),
      `covered ${countOf(verdicts)}`,
    ],
    passed: open.length === 0 && idle.length === 0,
  }
}

type Report = { readonly lines: readonly string[]; readonly passed: boolean }

function lineOf({ clause, verdict, isFromOutside, kills }: ClauseVerdict): string {
  const how = verdict !== 'covered' ? '' : isFromOutside ? 'from outside' : 'by parts'
  return `${verdict.padEnd(9)} ${how.padEnd(12)} ${`${kills} mutants`.padStart(12)} ${clause.id.padEnd(10)} ${clause.text}`
}

function openOf(verdicts: readonly ClauseVerdict[]): ClauseVerdict[] {
  return verdicts.filter(({ verdict }) => verdict !== 'covered')
}

/** Clauses that need a noticed mutant and have none. */
function idleOf(verdicts: readonly ClauseVerdict[]): ClauseVerdict[] {
  return verdicts.filter(({ clause, kills }) => needsKill(clause) && kills === 0)
}

function countOf(verdicts: readonly ClauseVerdict[]): string {
  return `${verdicts.length - openOf(verdicts).length}/${verdicts.length}`
}

function killsOf(verdicts: readonly ClauseVerdict[]): string {
  return String(verdicts.reduce((sum, { kills }) => sum + kills, 0))
}

function outsideOf(verdicts: readonly ClauseVerdict[]): string {
  return String(verdicts.filter(({ isFromOutside }) => isFromOutside).length)
}
