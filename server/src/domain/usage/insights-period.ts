import { type DayRange, dayMs, endOf, minuteMs, startOf, yearBefore } from '#lib/utc-calendar.ts'

export const insightsPeriods = ['7d', '30d', 'ytd', 'all'] as const
export type InsightsPeriod = (typeof insightsPeriods)[number]

/** The same query within this time gets the same response. */
export const insightsKeptMs = 5 * minuteMs

export interface InsightsRange {
  readonly current: DayRange
  /** The comparison period; null if there is no earlier data. */
  readonly previous: DayRange | null
  /** The step of the time series. */
  readonly step: 'day' | 'month'
}

/** All ranges end today. `sinceMs` is when the wallet was created; there is no earlier data. */
export function insightsRangeOf(period: InsightsPeriod, nowMs: number, sinceMs: number): InsightsRange {
  const endMs = endOf('day', nowMs)
  switch (period) {
    case '7d':
      return lastDays(7, endMs)
    case '30d':
      return lastDays(30, endMs)
    case 'ytd': {
      const startMs = startOf('year', nowMs)
      const previous = { startMs: yearBefore(startMs), endMs: yearBefore(endMs) }
      return { current: { startMs, endMs }, previous, step: 'day' }
    }
    case 'all': {
      const startMs = startOf('day', Math.min(sinceMs, nowMs))
      return { current: { startMs, endMs }, previous: null, step: 'month' }
    }
  }
}

function lastDays(count: number, endMs: number): InsightsRange {
  const startMs = endMs - count * dayMs
  return { current: { startMs, endMs }, previous: { startMs: startMs - count * dayMs, endMs: startMs }, step: 'day' }
}
