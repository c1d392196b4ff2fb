import { readFileSync } from 'node:fs'
import { parseVerdictRows } from '../lib/parse-verdict-rows.ts'

/** The reasons why an uncaught change may stay, by area and change. */
export type Verdicts = {
  readonly find: (area: string, change: string) => string | undefined
  readonly changesOf: (area: string) => string[]
}

/** Columns: area, change, verdict, reason. */
export function readVerdicts(text: string = readFileSync(new URL('verdicts.tsv', import.meta.url), 'utf8')): Verdicts {
  const rows = parseVerdictRows(text, { judged: 2, words: ['equivalent', 'accepted'] as const })
  const verdicts = new Map(rows.map(({ judged, verdict, reason }) => [judged.join('\t'), `${verdict}: ${reason}`]))
  return {
    find: (area, change) => verdicts.get(`${area}\t${change}`),
    changesOf: (area) => rows.flatMap(({ judged: [of, change = ''] }) => (of === area ? [change] : [])),
  }
}
