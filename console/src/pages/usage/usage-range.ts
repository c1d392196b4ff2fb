import {
  addMonths,
  dayMs,
  type DayRange,
  daysIn,
  hourDaysMax,
  monthBounds,
  startOfUtcDay,
  utcMonth,
} from '../../lib/utc-days.ts'
import { parseDaySpan } from '../../lib/period.ts'
import type { UsagePeriod } from './search.ts'

const lastDays: Readonly<Record<string, number>> = { '7d': 7, '30d': 30, '90d': 90 }

/** Whole UTC days, up to today or as a person entered them. */
export function rangeOf(period: UsagePeriod, nowMs: number): DayRange {
  const custom = parseDaySpan(period)
  if (custom !== undefined) return custom
  const tomorrow = startOfUtcDay(nowMs) + dayMs
  const month = utcMonth(nowMs)
  if (period === 'month') return { fromMs: monthBounds(month).fromMs, toMs: tomorrow }
  if (period === 'last-month') return monthBounds(addMonths(month, -1))
  if (period === 'year') return { fromMs: Date.parse(`${month.slice(0, 4)}-01-01T00:00:00Z`), toMs: tomorrow }
  return { fromMs: tomorrow - (lastDays[period] ?? 30) * dayMs, toMs: tomorrow }
}

/** The month of a period, if the ledger has a statement for it. */
export function monthOf(period: UsagePeriod, nowMs: number): string | null {
  if (period === 'month') return utcMonth(nowMs)
  return period === 'last-month' ? addMonths(utcMonth(nowMs), -1) : null
}

/** The API returns hours for one week per response, so a longer range is split into weeks. */
export function weeksOf({ fromMs, toMs }: DayRange): readonly DayRange[] {
  const weeks = Math.ceil(daysIn({ fromMs, toMs }) / hourDaysMax)
  return Array.from({ length: weeks }, (_, index) => ({
    fromMs: fromMs + index * hourDaysMax * dayMs,
    toMs: Math.min(fromMs + (index + 1) * hourDaysMax * dayMs, toMs),
  }))
}
