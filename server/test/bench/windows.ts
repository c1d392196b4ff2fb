import { type Figure, figureOf } from './figure.ts'
import type { Entry } from './entry.ts'
import type { Look, Phase } from './look.ts'
import { errorShareMax, othersMax } from './settings.ts'

type Amount = 'perSecond' | 'cpuUs' | 'p50Ms' | 'p99Ms' | 'postgresCpuUs' | 'walBytes' | 'busyShare'

/**
 * One measure of one contender, by window. Null if it was not measured, or was disturbed by others; if all windows were
 * disturbed, all count, and the summary says so. Empty if there were too many errors.
 */
export type Series = readonly (number | null)[]

export function seriesOf(entry: Entry | undefined, phase: Phase, amount: Amount): Series {
  if (entry === undefined || !isComparable(entry, phase)) return []
  const looks = entry.windows.map((window) => window[phase])
  const hasQuiet = looks.some((look) => look !== undefined && !isDisturbed(look))
  return looks.map((look) => (look === undefined || (hasQuiet && isDisturbed(look)) ? null : look[amount]))
}

export function isDisturbed({ others }: Look): boolean {
  return others > othersMax
}

export function errorsIn(entry: Entry, phase: Phase): { attempts: number; errors: number; firstError: string | null } {
  const found = entry.windows.flatMap((window) => window[phase]?.errors ?? [])
  return {
    attempts: found.reduce((sum, { attempts }) => sum + attempts, 0),
    errors: found.reduce((sum, { errors }) => sum + errors, 0),
    firstError: found.find(({ firstError }) => firstError !== null)?.firstError ?? null,
  }
}

export function isComparable(entry: Entry, phase: Phase): boolean {
  const { attempts, errors } = errorsIn(entry, phase)
  return attempts > 0 && errors / attempts <= errorShareMax
}

/** Computed within each window that has all values. */
export function compareSeries(series: readonly Series[], compute: (...values: number[]) => number): Series {
  const [first = []] = series
  return first.map((_, window) => {
    const values = series.map((each) => each[window] ?? null)
    return values.every((value) => value !== null) ? compute(...values) : null
  })
}

export function ratioOf(one: Series, other: Series): Figure | null {
  return figureOf(
    compareSeries([one, other], (own, base) => own / base),
    3,
  )
}
