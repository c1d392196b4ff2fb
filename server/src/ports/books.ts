import type { JsonObject } from '#lib/json.ts'
import type { CalendarDate } from '#lib/utc-calendar.ts'

/** Something the books say twice and not alike. Amounts are nano-USD as text. */
export interface Discrepancy {
  /** Null where the rows at fault lead to no wallet. */
  readonly walletId: string | null
  readonly what: string
  /** Where that was found which is not as expected. */
  readonly table: string
  /** The first day of the month, and the day; null where it is about no day, or nobody can tell which. */
  readonly month: CalendarDate | null
  readonly day: CalendarDate | null
  /** The row at fault: a hold's or generation's id, a key and day, a window. Null for the wallet itself. */
  readonly subject: string | null
  readonly expected: string
  readonly found: string
  /** Some of the rows that show it, for the first of several; the others often have the same cause. */
  readonly rows: readonly JsonObject[]
}

/** Compares what is cheap to compare, however long the history is. */
export interface Reconciliation {
  /** Null: another worker is at it. */
  reconcile(): Promise<Reconciled | null>
}

export interface Reconciled {
  readonly wallets: number
  /** Settled requests that are not in the sums yet, and were counted by themselves. */
  readonly unfolded: number
  readonly discrepancies: readonly Discrepancy[]
}
