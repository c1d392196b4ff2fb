/** The only definition of how days, weeks, months and years begin: always in UTC, weeks on Monday. */
export type CalendarUnit = 'minute' | 'hour' | 'day' | 'week' | 'month' | 'year'

export const minuteMs = 60_000
const hourMs = 3_600_000
export const dayMs = 86_400_000

/** Start of the unit that contains a time. All times are Unix milliseconds. */
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

/** End of the unit that contains a time. */
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

/** A day such as 2026-03-01. */
export type CalendarDate = string

export function dateOf(momentMs: number): CalendarDate {
  // Years with more than four digits are written with a sign and zeros, and the exclusive end of 9999 is such a year.
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

/** Parses a month such as `2027-01`. Undefined if it is invalid. */
export function parseMonth(text: string): CalendarMonth | undefined {
  const [, year, month] = /^(2\d{3})-(0[1-9]|1[0-2])$/.exec(text) ?? []
  return year === undefined || month === undefined ? undefined : { year: Number(year), month: Number(month) }
}

/** Start of a named day, or undefined if it is invalid. Years outside this range are typing errors. */
export function parseDate(text: string): number | undefined {
  if (!/^(?:19[7-9]\d|2\d{3})-\d{2}-\d{2}$/.test(text)) return undefined
  const moment = Date.parse(`${text}T00:00:00Z`)
  // February 30 parses as March 2: only a date that is formatted back to the same text is valid.
  return !Number.isNaN(moment) && dateOf(moment) === text ? moment : undefined
}

/** The start of the same day in the previous year. For February 29 it is March 1. */
export function yearBefore(dayStartMs: number): number {
  const day = new Date(dayStartMs)
  return Date.UTC(day.getUTCFullYear() - 1, day.getUTCMonth(), day.getUTCDate())
}

/** An inclusive start and an exclusive end. Both are starts of days. */
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
  /** Whole months as one range, or null if there are none. */
  readonly months: DayRange | null
  /** The days before and after these months. */
  readonly days: readonly DayRange[]
}

/** Splits a range into whole months and the days around them, so that monthly rollups can be used for most of it. */
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
