/** The one place that knows how days, weeks, months and years begin: always by UTC, weeks on Monday. */
export type CalendarUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

export const minuteMs = 60_000
const hourMs = 3_600_000
export const dayMs = 86_400_000

/** The first moment of the unit that a moment is in. All moments are Unix milliseconds. */
export function startOf(unit: CalendarUnit, momentMs: number): number {
  switch (unit) {
    case 'minute':
      return momentMs - (momentMs % minuteMs)
    case 'hour':
      return momentMs - (momentMs % hourMs)
    case 'day':
      return momentMs - (momentMs % dayMs)
    case 'week': {
      // 1 January 1970 was a Thursday.
      const day = Math.floor(momentMs / dayMs)
      return (day - ((day + 3) % 7)) * dayMs
    }
    case 'month':
    case 'year': {
      const moment = new Date(momentMs)
      return Date.UTC(moment.getUTCFullYear(), unit === 'month' ? moment.getUTCMonth() : 0, 1)
    }
  }
}

/** The first moment after the unit that a moment is in. */
export function endOf(unit: CalendarUnit, momentMs: number): number {
  switch (unit) {
    case 'minute':
      return startOf(unit, momentMs) + minuteMs
    case 'hour':
      return startOf(unit, momentMs) + hourMs
    case 'day':
      return startOf(unit, momentMs) + dayMs
    case 'week':
      return startOf(unit, momentMs) + 7 * dayMs
    case 'month':
    case 'year': {
      const moment = new Date(momentMs)
      const year = moment.getUTCFullYear()
      return unit === 'month' ? Date.UTC(year, moment.getUTCMonth() + 1, 1) : Date.UTC(year + 1, 0, 1)
    }
  }
}

/** A day by its name, such as 2026-03-01. */
export type CalendarDate = string

export function dateOf(momentMs: number): CalendarDate {
  // Years of more than four digits are written with a sign and zeros; the end of 9999 is in one.
  return new Date(momentMs).toISOString().replace(/^\+0*/, '').replace(/T.*$/, '')
}

/** Months count from 1. */
export interface CalendarMonth {
  readonly year: number
  readonly month: number
}

export function monthOf(momentMs: number): CalendarMonth {
  const moment = new Date(momentMs)
  return { year: moment.getUTCFullYear(), month: moment.getUTCMonth() + 1 }
}

export function rangeOfMonth({ year, month }: CalendarMonth): DayRange {
  return { startMs: Date.UTC(year, month - 1, 1), endMs: Date.UTC(year, month, 1) }
}

/** The first moment of a day that is named; undefined where it is none. Years beyond these are slips of the pen. */
export function parseDate(text: string): number | undefined {
  if (!/^(?:19[7-9]\d|2\d{3})-\d{2}-\d{2}$/.test(text)) return undefined
  const moment = Date.parse(`${text}T00:00:00Z`)
  // February 30 parses, as March 2: only a date that is written back the same is one.
  return !Number.isNaN(moment) && dateOf(moment) === text ? moment : undefined
}

/** The start of the same day a year before; of February 29 it is March 1. */
export function yearBefore(dayStartMs: number): number {
  const day = new Date(dayStartMs)
  return Date.UTC(day.getUTCFullYear() - 1, day.getUTCMonth(), day.getUTCDate())
}

/** From the first moment on; the end is no longer part of it. Both are starts of days. */
export interface DayRange {
  readonly startMs: number
  readonly endMs: number
}

/** Every day of a range, in order. */
export function daysOf({ startMs, endMs }: DayRange): CalendarDate[] {
  const count = Math.max(0, Math.round((endMs - startMs) / dayMs))
  return Array.from({ length: count }, (_, index) => dateOf(startMs + index * dayMs))
}

interface SplitRange {
  /** Whole months, together; null where the range has none. */
  readonly months: DayRange | null
  /** What is left before and after them. */
  readonly days: readonly DayRange[]
}

/** A range as whole months and the days around them, so that sums of months can be used for most of it. */
export function splitIntoMonths({ startMs, endMs }: DayRange): SplitRange {
  const monthsStart = startOf('month', startMs) === startMs ? startMs : endOf('month', startMs)
  const monthsEnd = startOf('month', endMs)
  if (monthsEnd <= monthsStart) return { months: null, days: startMs < endMs ? [{ startMs, endMs }] : [] }
  const edges = [
    { startMs, endMs: monthsStart },
    { startMs: monthsEnd, endMs },
  ]
  return {
    months: { startMs: monthsStart, endMs: monthsEnd },
    days: edges.filter((edge) => edge.startMs < edge.endMs),
  }
}
