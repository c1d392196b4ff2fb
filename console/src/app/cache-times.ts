import { plural } from '../lib/plural.ts'
import type { Choice } from '../ui/field.tsx'

const seconds = [300, 3_600, 86_400]

/** The times that answers can stay cached, as choices, with the current value. */
export function cacheTimes(current: string): readonly Choice[] {
  const isKnown = current === '' || current === '0' || seconds.includes(Number(current))
  return [...seconds, ...(isKnown ? [] : [Number(current)])]
    .toSorted((one, other) => one - other)
    .map((value) => ({ value: String(value), label: cacheTimeInWords(value) }))
}

export function cacheTimeInWords(value: number): string {
  const units = [
    [86_400, 'day'],
    [3_600, 'hour'],
    [60, 'minute'],
  ] as const
  const [size, unit] = units.find(([each]) => value % each === 0) ?? [1, 'second']
  return plural(value / size, unit)
}
