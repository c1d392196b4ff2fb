import type { Mutant } from './instrument.ts'
import { parseVerdictRows } from './lib/parse-verdict-rows.ts'

/** Why a mutant may live: it cannot be told from the code, or what it changes is not worth a test. */
export interface Verdict {
  readonly path: string
  readonly original: string
  readonly replacement: string
  readonly verdict: 'equivalent' | 'accepted' | 'to do'
  readonly reason: string
}

/** Columns: path, original, replacement, verdict, reason. */
export function parseVerdicts(text: string): Verdict[] {
  return parseVerdictRows(text, { judged: 3, words: ['equivalent', 'accepted', 'to do'] as const }).map(
    ({ judged: [path = '', original = '', replacement = ''], verdict, reason }) => ({
      path,
      original,
      replacement,
      verdict,
      reason,
    }),
  )
}

export function findVerdict(verdicts: readonly Verdict[], mutant: Mutant): Verdict | undefined {
  const { path, original, replacement } = oneLine(mutant)
  return verdicts.find((one) => one.path === path && one.original === original && one.replacement === replacement)
}

/** As it stands in a table: without line ends, and no longer than a line. */
export function oneLine({ path, original, replacement }: Mutant): Pick<Verdict, 'path' | 'original' | 'replacement'> {
  return { path, original: cut(original), replacement: cut(replacement) }
}

function cut(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim().slice(0, 90)
}
