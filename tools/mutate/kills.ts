import { killRowsOf } from '../contract/parse-kills.ts'
import { citedIds } from '../lib/cited-ids.ts'
import type { Outcome } from './outcome.ts'

/** Counts the mutants that the tests of each clause caught. */
export function countKills(outcomes: readonly Outcome[]): Map<string, number> {
  const kills = new Map<string, number>()
  for (const { noticedBy } of outcomes) {
    for (const id of new Set(noticedBy.flatMap(citedIds))) kills.set(id, (kills.get(id) ?? 0) + 1)
  }
  return kills
}

/** Replaces the lines of one area, one line per clause. Other areas stay unchanged. */
export function replaceKills(text: string, area: string, kills: ReadonlyMap<string, number>): string {
  const others = killRowsOf(text).filter((row) => row.area !== area)
  const rows = [...others, ...[...kills].map(([id, count]) => ({ area, id, count }))]
  const lines = rows.map((row) => `${row.area}\t${row.id}\t${row.count}\n`)
  return lines.toSorted().join('')
}

/** Adds lines to an area. Clauses that it already counts keep their number. */
export function addKills(text: string, area: string, kills: ReadonlyMap<string, number>): string {
  const before = killRowsOf(text).filter((row) => row.area === area)
  return replaceKills(text, area, new Map([...kills, ...before.map(({ id, count }) => [id, count] as const)]))
}
