import { marginRate } from '#domain/money/margin-rate.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { type CalendarDate, type CalendarMonth, daysOf, endOf, monthOf, startOf } from '#lib/utc-calendar.ts'
import { addSums, type ReportSums } from './add-sums.ts'
import { readPayingWallet, type ReportDeps, type ReportQuery } from './report-deps.ts'

export interface OverviewReport extends CalendarMonth, ReportSums {
  readonly marginRate: number
  readonly previousMonthSpend: NanoUsd
  readonly days: readonly DayReport[]
}

export interface DayReport extends ReportSums {
  readonly date: CalendarDate
}

/** The month as a whole and by days. Both come from the same rows, so the days always add up to the whole. */
export async function reportOverview(deps: ReportDeps, query: ReportQuery, nowMs: number): Promise<OverviewReport> {
  const walletId = await readPayingWallet(deps, query)
  const { month } = query
  const previous = { startMs: startOf('month', month.startMs - 1), endMs: month.startMs }
  const [rows, before] = await Promise.all([
    deps.usage.sum({ walletId, range: month, by: ['day'] }),
    deps.usage.sum({ walletId, range: previous, by: [] }),
  ])
  const past = daysOf({ startMs: month.startMs, endMs: Math.min(month.endMs, endOf('day', nowMs)) })
  // A gateway whose clock is ahead has accepted requests tomorrow already.
  const used = rows.flatMap(({ day }) => day ?? [])
  const sumsOf = new Map(rows.map((row) => [row.day, row]))
  const days = [...new Set([...past, ...used])].map((date) => {
    const row = sumsOf.get(date)
    return { date, ...addSums(row === undefined ? [] : [row]) }
  })
  return {
    ...monthOf(month.startMs),
    ...addSums(rows),
    marginRate,
    previousMonthSpend: addSums(before).spend,
    days,
  }
}
