import { type DayRange, dayMs, endOf, startOf } from '#lib/utc-calendar.ts'

/** Periods of usage queries: the current calendar period so far, or custom days. */
export const usagePeriods = ['day', 'week', 'month', 'year', 'custom'] as const
export type UsagePeriod = (typeof usagePeriods)[number]

export const granularities = ['day', 'hour'] as const
export type Granularity = (typeof granularities)[number]

/** Five years with their leap days. */
const customDaysMax = 5 * 365 + 2
const hourlyDaysMax = 7

/** From the period's first day to the end of today. */
export function rangeSoFar(period: Exclude<UsagePeriod, 'custom'>, nowMs: number): DayRange {
  return { startMs: startOf(period, nowMs), endMs: endOf('day', nowMs) }
}

type CustomRange =
  | { readonly accepted: true; readonly range: DayRange }
  | { readonly accepted: false; readonly problem: string }

/** Both days are inclusive. */
export function judgeCustomRange(days: { fromMs: number; toMs: number }): CustomRange {
  const range = { startMs: days.fromMs, endMs: days.toMs + dayMs }
  if (days.toMs < days.fromMs) return { accepted: false, problem: 'on or after `from`' }
  if (dayCountOf(range) > customDaysMax) return { accepted: false, problem: 'at most 5 years after `from`' }
  return { accepted: true, range }
}

/** Whether a range is short enough for hourly figures. */
export function fitsHours(range: DayRange): boolean {
  return dayCountOf(range) <= hourlyDaysMax
}

function dayCountOf({ startMs, endMs }: DayRange): number {
  return (endMs - startMs) / dayMs
}
