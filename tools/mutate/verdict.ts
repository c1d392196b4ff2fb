import type { Mutant } from './instrument.ts'
import { cutLine } from './lib/cut-line.ts'
import { parseVerdictRows } from './lib/parse-verdict-rows.ts'

/** Why a mutant may survive: it is equivalent to the code, or the change is not worth a test. */
export interface Verdict extends Place {
  readonly verdict: 'equivalent' | 'accepted' | 'to do'
  readonly reason: string
}

/** One mutant, identified by its line and its change. */
interface Place {
  readonly path: string
  readonly place: string
  readonly original: string
  readonly replacement: string
}

/** Columns: path, place, original, replacement, verdict, reason. No two rows concern the same mutant. */
export function parseVerdicts(text: string): Verdict[] {
  const rows = parseVerdictRows(text, { judged: 4, words: ['equivalent', 'accepted', 'to do'] as const })
  const seen = new Set<string>()
  return rows.map(({ judged, verdict, reason }, at) => {
    const key = judged.join('\t')
    if (seen.has(key)) throw new Error(`line ${at + 2} judges a mutant again`)
    seen.add(key)
    const [path = '', place = '', original = '', replacement = ''] = judged
    return { path, place, original, replacement, verdict, reason }
  })
}

export function findVerdict(verdicts: readonly Verdict[], mutant: Mutant): Verdict | undefined {
  const wanted = oneLine(mutant)
  return verdicts.find((one) => isSame(one, wanted))
}

/** Verdicts on these files that no surviving mutant needs: the line has changed, or a test now catches the mutant. */
export function findIdleVerdicts(
  verdicts: readonly Verdict[],
  paths: ReadonlySet<string>,
  living: readonly Mutant[],
): Verdict[] {
  const places = living.map(oneLine)
  return verdicts.filter((one) => paths.has(one.path) && !places.some((place) => isSame(one, place)))
}

/** The form used in a table. */
export function oneLine({ path, place, original, replacement }: Mutant): Place {
  return { path, place, original: cutLine(original), replacement: cutLine(replacement) }
}

function isSame(one: Place, other: Place): boolean {
  return (
    one.path === other.path &&
    one.place === other.place &&
    one.original === other.original &&
    one.replacement === other.replacement
  )
}
