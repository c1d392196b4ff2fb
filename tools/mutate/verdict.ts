import type { Mutant } from './instrument.ts'

/** Why a mutant may live: nobody could tell it from the code, or what it changes is not worth a test. */
export interface Verdict {
  readonly path: string
  readonly original: string
  readonly replacement: string
  readonly verdict: 'equivalent' | 'accepted' | 'to do'
  readonly reason: string
}

/** Columns: path, original, replacement, verdict, reason. The first line names them. */
export function parseVerdicts(text: string): Verdict[] {
  return text
    .split('\n')
    .slice(1)
    .filter((line) => line !== '')
    .map((line, at) => {
      const [path = '', original = '', replacement = '', verdict = '', reason = ''] = line.split('\t')
      if (verdict !== 'equivalent' && verdict !== 'accepted' && verdict !== 'to do') {
        throw new Error(`line ${at + 2} has the verdict "${verdict}"`)
      }
      if (reason === '') throw new Error(`line ${at + 2} gives no reason`)
      return { path, original, replacement, verdict, reason }
    })
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
