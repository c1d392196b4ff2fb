import { type CalendarMonth, monthOf } from '#lib/utc-calendar.ts'
import { type Query, refuseValue } from '../request-values.ts'

export const reportViews = ['overview', 'by-team', 'by-model', 'by-member', 'by-tag'] as const
export type ReportView = (typeof reportViews)[number]

export function parseReportMonth(query: Query): CalendarMonth {
  return {
    year: numberOf(query, { name: 'year', min: 2_000, max: 9_999 }),
    month: numberOf(query, { name: 'month', min: 1, max: 12 }),
  }
}

/** A year without a month, or the reverse, is a mistake and is not completed by guessing. */
export function parseOptionalMonth(query: Query, nowMs: number): CalendarMonth {
  const isUnsaid = query['year'] === undefined && query['month'] === undefined
  return isUnsaid ? monthOf(nowMs) : parseReportMonth(query)
}

export function parseReportView(query: Query): ReportView {
  const view = reportViews.find((known) => known === query['view'])
  if (view === undefined) throw refuseValue('view', `one of ${reportViews.join(', ')}`)
  return view
}

function numberOf(query: Query, { name, min, max }: { name: string; min: number; max: number }): number {
  const number = Number(/^\d{1,4}$/.exec(query[name] ?? '')?.[0] ?? Number.NaN)
  if (number >= min && number <= max) return number
  throw refuseValue(name, `an integer from ${min} to ${max}`)
}
