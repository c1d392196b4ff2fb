import { readFileSync } from 'node:fs'

/** Why a change that no test notices may stay so, by its area and the change itself. */
export type Verdicts = {
  readonly find: (area: string, change: string) => string | undefined
  readonly changesOf: (area: string) => string[]
}

const words = ['equivalent', 'accepted'] as const

export function readVerdicts(text: string = readFileSync(new URL('verdicts.tsv', import.meta.url), 'utf8')): Verdicts {
  const [, ...lines] = text.trimEnd().split('\n')
  const verdicts = new Map(lines.map(parseLine))
  return {
    find: (area, change) => verdicts.get(`${area}\t${change}`),
    changesOf: (area) =>
      [...verdicts.keys()].filter((key) => key.startsWith(`${area}\t`)).map((key) => key.slice(area.length + 1)),
  }
}

function parseLine(line: string): [string, string] {
  const [area = '', change = '', verdict = '', why = ''] = line.split('\t')
  if (why === '' || !words.some((word) => word === verdict)) throw new Error(`not a verdict with its reason: ${line}`)
  return [`${area}\t${change}`, `${verdict}: ${why}`]
}
