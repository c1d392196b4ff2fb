import { parseDaySpan } from '../../../lib/period.ts'
import { type OperatedRequestsSearch, usualPeriod } from './search.ts'

const dayMs = 86_400_000

/** The bounds of the search. Without them it would read all days that are kept. */
export function rangeOf(
  { id, from, to, period = usualPeriod }: OperatedRequestsSearch,
  nowMs: number,
): { readonly from?: string; readonly to?: string } {
  // An id says when its request began.
  if (id !== undefined) return {}
  if (from !== undefined && to !== undefined) return { from, to }
  const days = parseDaySpan(period)
  if (days !== undefined) return { from: new Date(days.fromMs).toISOString(), to: new Date(days.toMs).toISOString() }
  return { from: new Date(nowMs - Number.parseInt(period, 10) * dayMs).toISOString() }
}
