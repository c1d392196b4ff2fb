export const hourMs = 3_600_000
export const dayMs = 86_400_000

/** The most days that the API returns by the hour in one response. */
export const hourDaysMax = 7

/** A half-open range of days: `toMs` is exclusive. */
export interface DayRange {
  readonly fromMs: number
  readonly toMs: number
}

export function daysIn({ fromMs, toMs }: DayRange): number {
  return Math.ceil((toMs - fromMs) / dayMs)
}

/** The UTC day of a timestamp: `2026-11-16`. */
export function utcDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

export function startOfUtcDay(atMs: number): number {
  return Math.floor(atMs / dayMs) * dayMs
}

/** The last `count` UTC days, today included. */
export function lastUtcDays(count: number, nowMs: number): DayRange {
  const toMs = startOfUtcDay(nowMs) + dayMs
  return { fromMs: toMs - count * dayMs, toMs }
}

/** The UTC month of a timestamp: `2026-11`. */
export function utcMonth(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7)
}

/** Adds `count` months, which may be negative. */
export function addMonths(month: string, count: number): string {
  const [year = 0, monthNumber = 1] = month.split('-').map(Number)
  return utcMonth(Date.UTC(year, monthNumber - 1 + count, 1))
}

/** The start of a month and of the next month. */
export function monthBounds(month: string): DayRange {
  return { fromMs: Date.parse(`${month}-01T00:00:00Z`), toMs: Date.parse(`${addMonths(month, 1)}-01T00:00:00Z`) }
}

/** The name of a month: `November 2026`. */
export function monthName(month: string): string {
  return new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01T00:00:00Z`),
  )
}
