import { addMonths, dayMs, startOfUtcDay, utcDay, utcMonth } from './utc-days.ts'
import type { Nano } from './money.ts'

/** The most complete days that the daily average comes from. */
export const forecastDaysMax = 7

export interface MonthForecast {
  readonly total: Nano
  /** How many complete days the average comes from. */
  readonly days: number
}

/**
 * The spend of the month at its end: what is spent so far, and the average of the last complete days of the month for
 * the time that remains. All sums are integers, and the result is rounded down once. Null on the first day.
 */
export function forecastMonth(spentByDay: ReadonlyMap<string, Nano>, nowMs: number): MonthForecast | null {
  const month = utcMonth(nowMs)
  const [startMs, endMs] = [month, addMonths(month, 1)].map((name) => Date.parse(`${name}-01T00:00:00Z`))
  if (startMs === undefined || endMs === undefined) return null
  const todayMs = startOfUtcDay(nowMs)
  const days = Math.min((todayMs - startMs) / dayMs, forecastDaysMax)
  if (days === 0) return null
  let recent = 0n
  for (let day = 1; day <= days; day += 1) recent += spentByDay.get(utcDay(todayMs - day * dayMs)) ?? 0n
  const spent = [...spentByDay].reduce((sum, [day, nano]) => (day.startsWith(month) ? sum + nano : sum), 0n)
  return { total: spent + (recent * BigInt(endMs - nowMs)) / BigInt(days * dayMs), days }
}
