import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { JournalEntry } from '#domain/accounting/journal.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { CalendarDate, DayRange } from '#lib/utc-calendar.ts'
import type { Minor } from '#domain/payments/currency.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { CustomerName } from './customers.ts'
import type { EarningsQuery, EarningsRow, EarningsSums } from './earnings.ts'
import type { OtherBalanceKind } from './payments.ts'

/** The books of the platform, over all wallets. */
export interface Accounting {
  /** From one snapshot of the ledger. */
  readMonth(month: DayRange): Promise<MonthBooks>
  /** The same, and the requests of the month by group, from one snapshot. */
  readRevenue(query: EarningsQuery): Promise<MonthRevenue>
  /** The processors' balance transactions of a month beside our bookings, from one snapshot. */
  readProcessorMonth(month: DayRange, limit: number): Promise<ProcessorMonth>
  /** Whether the sums have the provider cost of every request that was settled before this time. */
  isSummedUntil(ms: number): Promise<boolean>
  /** Oldest first. */
  listClosed(): Promise<readonly ClosedMonth[]>
  findClosed(month: CalendarDate): Promise<ClosedMonth | null>
  /** Returns false if the month is already closed. */
  close(closed: ClosedMonth, entry: AuditEntry): Promise<boolean>
}

export interface MonthBooks {
  readonly entries: readonly JournalEntry[]
  /** The credit of all customers at the start and at the end of the month, less what they owe. */
  readonly creditBefore: NanoUsd
  readonly creditAfter: NanoUsd
  readonly taxes: readonly TaxSum[]
}

/** Amounts are in the smallest unit of the currency; fees are in US cents. */
export interface ProcessorMonth {
  readonly watermarks: readonly { readonly provider: string; readonly readUntilMs: number | null }[]
  readonly sums: readonly ProcessorSum[]
  /** Records that differ, those of a neighboring month last, at most the limit and one more. */
  readonly differences: readonly ProcessorDifference[]
  /** Lines without a payment, oldest first, at most the limit and one more. */
  readonly others: readonly OtherBalance[]
}

export interface ProcessorSum {
  readonly provider: string
  readonly kind: string
  readonly currency: string
  readonly theirs: Minor
  readonly ours: Minor
}

export interface ProcessorDifference extends ProcessorSum {
  /** The order, or the processor's line if it has none. */
  readonly topUpId: Uuid | null
  readonly lineId: string | null
  readonly customer: CustomerName | null
  /** Whether both sides agree over all months: one of them booked it in a neighbouring month. */
  readonly isOtherMonth: boolean
}

export interface OtherBalance {
  readonly provider: string
  readonly id: string
  readonly kind: OtherBalanceKind
  readonly currency: string
  readonly amount: Minor
  readonly fee: Minor
  readonly createdAtMs: number
}

export interface MonthRevenue {
  readonly books: MonthBooks
  /** Of all groups, including those beyond the limit. */
  readonly total: EarningsSums
  readonly rows: readonly EarningsRow[]
}

/** The tax of the documents that were issued in the month. Test documents are left out. */
export interface TaxSum {
  /** ISO code. Null if the buyer has named none. */
  readonly country: string | null
  /** Null if no tax was computed. */
  readonly percent: string | null
  readonly currency: string
  readonly documents: number
  readonly net: NanoUsd
  readonly tax: NanoUsd
}

export interface ClosedMonth {
  /** The first day of the month. */
  readonly month: CalendarDate
  readonly closedAtMs: number
  /** The journal as JSON text, and its hash. */
  readonly journal: string
  readonly sha256: string
}
