import {
  fitsHours,
  type Granularity,
  granularities,
  judgeCustomRange,
  rangeSoFar,
  type UsagePeriod,
  usagePeriods,
} from '#domain/usage/usage-period.ts'
import { type DayRange, parseDate } from '#lib/utc-calendar.ts'
import { type Query, refuseValue } from '../query-values.ts'
import { choiceOf } from './choice-of.ts'

export interface UsageQuestion {
  readonly period: UsagePeriod
  readonly range: DayRange
  readonly granularity: Granularity
}

export function parseUsageQuery(query: Query, nowMs: number): UsageQuestion {
  const period = choiceOf(query, 'period', usagePeriods, 'month')
  const range = period === 'custom' ? customRangeOf(query) : rangeSoFar(period, nowMs)
  const granularity = choiceOf(query, 'granularity', granularities, 'day')
  if (granularity === 'hour' && !fitsHours(range)) {
    throw refuseValue('granularity', 'day where the range has more than 7 days')
  }
  return { period, range, granularity }
}

function customRangeOf(query: Query): DayRange {
  const judged = judgeCustomRange({ fromMs: dateOf(query, 'from'), toMs: dateOf(query, 'to') })
  if (!judged.accepted) throw refuseValue('to', judged.problem)
  return judged.range
}

function dateOf(query: Query, name: 'from' | 'to'): number {
  const moment = parseDate(query[name] ?? '')
  if (moment === undefined) throw refuseValue(name, 'a date such as 2026-03-01 where the period is custom')
  return moment
}
