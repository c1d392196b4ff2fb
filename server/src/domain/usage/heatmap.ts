import { type CalendarDate, type DayRange, dayMs, daysOf } from '#lib/utc-calendar.ts'

export const heatmapMetrics = ['spend', 'tokens', 'requests'] as const
export type HeatmapMetric = (typeof heatmapMetrics)[number]

export interface HeatmapDay {
  readonly date: CalendarDate
  readonly value: bigint
  /** 0 for no usage; 1 to 4 for the quarter of the maximum day in which the value lies. */
  readonly level: number
}

const heatmapDaysMax = 366
const levels = 4n

/** The latest days of a range, at most a year. */
export function heatmapRangeOf({ startMs, endMs }: DayRange): DayRange {
  return { startMs: Math.max(startMs, endMs - heatmapDaysMax * dayMs), endMs }
}

/** One entry per day, including empty ones. */
export function heatmapOf(range: DayRange, valueOn: (date: CalendarDate) => bigint): HeatmapDay[] {
  const days = daysOf(range).map((date) => ({ date, value: valueOn(date) }))
  const largest = days.reduce((most, { value }) => (value > most ? value : most), 0n)
  return days.map((day) => ({ ...day, level: levelOf(day.value, largest) }))
}

function levelOf(value: bigint, largest: bigint): number {
  return value <= 0n ? 0 : Number((value * levels + largest - 1n) / largest)
}
