import { citedIds } from '../contract/cited-ids.ts'
import type { Outcome } from './outcome.ts'

/** How many mutants the tests that cite a clause noticed. */
export function countKills(outcomes: readonly Outcome[]): Map<string, number> {
  const kills = new Map<string, number>()
  for (const { noticedBy } of outcomes) {
    for (const id of new Set(noticedBy.flatMap(citedIds))) kills.set(id, (kills.get(id) ?? 0) + 1)
  }
  return kills
}

export function renderKills(kills: ReadonlyMap<string, number>): string {
  return [...kills]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, count]) => `${id}\t${count}\n`)
    .join('')
}

export function parseKills(text: string): Map<string, number> {
  const rows = text.split('\n').filter((line) => line !== '')
  return new Map(rows.map((line) => line.split('\t')).map(([id = '', count]) => [id, Number(count)]))
}
