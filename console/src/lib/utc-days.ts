export const hourMs = 3_600_000
export const dayMs = 86_400_000

/** The API tells hours for at most so many days in one answer. */
export const hourDaysMax = 7

/** Days from the first moment up to the second, which is no longer part of them. */
export interface DayRange {
  readonly fromMs: number
  readonly toMs: number
}

export function daysIn({ fromMs, toMs }: DayRange): number {
  return Math.ceil((toMs - fromMs) / dayMs)
}

/** The day of a moment by UTC: `2026-11-16`. */
export function utcDay(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 10)
}

export function startOfUtcDay(atMs: number): number {
  return Math.floor(atMs / dayMs) * dayMs
}

/** The month of a moment by UTC: `2026-11`. */
export function utcMonth(atMs: number): string {
  return new Date(atMs).toISOString().slice(0, 7)
}

/** The month so many before or after one. */
export function addMonths(month: string, count: number): string {
  const [year = 0, monthNumber = 1] = month.split('-').map(Number)
  return utcMonth(Date.UTC(year, monthNumber - 1 + count, 1))
}

/** The first moment of a month and of the one after it. */
export function monthBounds(month: string): DayRange {
  return { fromMs: Date.parse(`${month}-01T00:00:00Z`), toMs: Date.parse(`${addMonths(month, 1)}-01T00:00:00Z`) }
}

/** `November 2026`. */
export function monthName(month: string): string {
  return new Intl.DateTimeFormat('en', { month: 'long', year: 'numeric', timeZone: 'UTC' }).format(
    Date.parse(`${month}-01T00:00:00Z`),
  )
}
