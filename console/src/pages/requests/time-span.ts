import { parseDaySpan } from '../../lib/period.ts'
import { dayMs, type DayRange, daysIn, hourDaysMax, hourMs, startOfUtcDay } from '../../lib/utc-days.ts'
import type { Preset, RequestsSearch } from './search.ts'

const presetDays: Readonly<Record<Preset, number>> = { '1d': 1, '7d': 7, '30d': 30, '90d': 90 }

/** The time span of the list, and the days of the histogram above it. */
export interface TimeSpan {
  /** The query of the list. `to` is missing if the span ends today. */
  readonly query: { readonly from: string; readonly to?: string }
  readonly listed: DayRange
  readonly days: DayRange
  readonly granularity: 'day' | 'hour'
  readonly isSelected: boolean
}

export function timeSpanOf({ period = '7d', from, to }: RequestsSearch, nowMs: number): TimeSpan {
  const tomorrow = startOfUtcDay(nowMs) + dayMs
  const days = parseDaySpan(period) ?? lastDays(period, tomorrow)
  if (from === undefined || to === undefined) {
    const end = days.toMs < tomorrow ? { to: new Date(days.toMs).toISOString() } : {}
    return {
      query: { from: new Date(days.fromMs).toISOString(), ...end },
      listed: days,
      days,
      granularity: granularityOf(days),
      isSelected: false,
    }
  }
  const listed = { fromMs: Date.parse(from), toMs: Date.parse(to) }
  return { query: { from, to }, listed, days, granularity: granularityOf(days), isSelected: true }
}

function lastDays(period: NonNullable<RequestsSearch['period']>, tomorrow: number): DayRange {
  const count = period in presetDays ? presetDays[period as Preset] : presetDays['7d']
  return { fromMs: tomorrow - count * dayMs, toMs: tomorrow }
}

function granularityOf(days: DayRange): 'day' | 'hour' {
  return daysIn(days) <= hourDaysMax ? 'hour' : 'day'
}

export interface Bucket {
  readonly startMs: number
  readonly endMs: number
  readonly requests: number
  readonly nano: bigint
}

interface Point {
  readonly date: string
  readonly requests: number
  readonly nano: bigint
}

/** One bucket for every hour or day of the span, including empty ones. */
export function bucketsOf(points: readonly Point[], { days, granularity }: TimeSpan): Bucket[] {
  const lengthMs = granularity === 'hour' ? hourMs : dayMs
  const count = Math.round((days.toMs - days.fromMs) / lengthMs)
  const buckets = Array.from({ length: count }, (_, index) => ({
    startMs: days.fromMs + index * lengthMs,
    endMs: days.fromMs + (index + 1) * lengthMs,
    requests: 0,
    nano: 0n,
  }))
  for (const { date, requests, nano } of points) {
    const bucket = buckets[Math.floor((Date.parse(date) - days.fromMs) / lengthMs)]
    if (bucket === undefined) continue
    bucket.requests += requests
    bucket.nano += nano
  }
  return buckets
}
