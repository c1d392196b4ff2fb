import { hash } from 'node:crypto'
import { platformEntry } from '#control/operators/platform-entry.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { malformed } from '#errors/malformed.ts'
import type { JsonObject } from '#lib/json.ts'
import { type CalendarMonth, dateOf, rangeOfMonth } from '#lib/utc-calendar.ts'
import type { Accounting, ClosedMonth } from '#ports/accounting.ts'
import type { ChangeAuthor } from '#ports/keys.ts'
import { reportMonth } from './month-report.ts'

/** A month as it was closed, beside its books now. */
export interface MonthState {
  /** The books now. */
  readonly books: JsonObject
  /** Null while the month is open. */
  readonly closed: ClosedMonth | null
  /** Whether the books are unchanged since the month was closed. Null while the month is open. */
  readonly agrees: boolean | null
}

export async function readMonth(accounting: Accounting, month: CalendarMonth): Promise<MonthState> {
  const closed = await accounting.findClosed(dateOf(rangeOfMonth(month).startMs))
  const books = await reportMonth(accounting, month)
  return { books, closed, agrees: closed === null ? null : JSON.stringify(books) === closed.journal }
}

// Transactions that began before midnight are over by then.
const settledAfterMs = 3_600_000

/** Freezes the books of a past month, once. */
export async function closeMonth(
  accounting: Accounting,
  month: CalendarMonth,
  author: ChangeAuthor,
): Promise<ClosedMonth> {
  const { startMs, endMs } = rangeOfMonth(month)
  if (author.nowMs < endMs + settledAfterMs) {
    throw malformed('A month can be closed one hour after it has ended in UTC.')
  }
  // Workers that are behind would leave provider costs out of the closed books forever.
  if (!(await accounting.isSummedUntil(endMs))) {
    throw new GatewayError('conflict', {
      message: 'The workers have not summed all requests of this month yet. Retry once they have caught up.',
    })
  }
  const books = await reportMonth(accounting, month)
  const journal = JSON.stringify(books)
  const closed = { month: dateOf(startMs), closedAtMs: author.nowMs, journal, sha256: hash('sha256', journal) }
  const entry = platformEntry(author, {
    action: 'month.close',
    target: { kind: 'month', id: closed.month },
    details: { sha256: closed.sha256, revenue: books['revenue'] ?? null, result: books['result'] ?? null },
  })
  if (await accounting.close(closed, entry)) return closed
  throw new GatewayError('conflict', { message: 'This month is already closed.' })
}
