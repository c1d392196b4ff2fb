import { dayMs, type DayRange, utcDay } from './utc-days.ts'

/** Custom days in a URL, both inclusive: `2026-11-01..2026-11-15`. */
export type DaySpan = `${string}..${string}`

const form = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/

/** The days of a span in UTC, or undefined if it is not one. The gateway reads five years at most. */
export function parseDaySpan(value: unknown): DayRange | undefined {
  const [, from = '', to = ''] = (typeof value === 'string' ? form.exec(value) : null) ?? []
  const range = { fromMs: Date.parse(`${from}T00:00:00Z`), toMs: Date.parse(`${to}T00:00:00Z`) + dayMs }
  const lengthMs = range.toMs - range.fromMs
  return lengthMs >= dayMs && lengthMs <= 5 * 366 * dayMs ? range : undefined
}

export function daySpanOf({ fromMs, toMs }: DayRange): DaySpan {
  return `${utcDay(fromMs)}..${utcDay(toMs - 1)}`
}

/** Returns `{ period }` if the value is one of the presets or a span of days, otherwise an empty object. */
export function pickPeriod<Preset extends string>(
  presets: readonly Preset[],
  value: unknown,
): { readonly period?: Preset | DaySpan } {
  const preset = presets.find((one) => one === value)
  if (preset !== undefined) return { period: preset }
  return parseDaySpan(value) === undefined ? {} : { period: value as DaySpan }
}

/** `2026-11-01 – 2026-11-15`, or one day alone. */
export function formatDaySpan(range: DayRange): string {
  const [from, to] = [utcDay(range.fromMs), utcDay(range.toMs - 1)]
  return from === to ? from : `${from} – ${to}`
}
