import { spendPeriods } from '#domain/limits/spend-period.ts'
import { windowStart } from '#domain/limits/window.ts'
import { dateOf } from '#lib/utc-calendar.ts'

/**
 * The window that is open now for each period of a key's spend limit, as columns for `unnest`. The period is null for a
 * limit over the key's whole life. A statement joins the period with `IS NOT DISTINCT FROM`, so a period that is
 * missing from the table of periods has no window, instead of a wrong one.
 */
export function openCapWindows(nowMs: number): { periods: (string | null)[]; starts: number[]; days: string[] } {
  const starts = [0, ...spendPeriods.map((period) => windowStart(period, nowMs))]
  return { periods: [null, ...spendPeriods], starts, days: starts.map(dateOf) }
}
