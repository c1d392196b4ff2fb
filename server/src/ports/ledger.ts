import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { Transfer } from '#domain/ledger/transfer.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import type { CalendarDate } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'

export interface Wallets {
  /** By the wallet's id, its owner's id, a user's mail address or an organization's slug. */
  find(reference: string): Promise<Wallet | null>
  /** Writes the transfers and moves the balance with them, in one transaction. Null: no such wallet. */
  credit(credit: WalletCredit): Promise<NanoUsd | null>
}

export interface Wallet {
  id: Uuid
  ownerKind: 'user' | 'organization'
  ownerId: Uuid
  balance: NanoUsd
  held: NanoUsd
  credited: NanoUsd
  charged: NanoUsd
}

export interface WalletCredit {
  /** Of the ledger transaction. */
  id: Uuid
  walletId: Uuid
  transfers: readonly Transfer[]
  note: string | null
  /** What the audit log is to tell, in the same transaction. */
  entry?: AuditEntry
}

/** Something the books say twice and not alike. Amounts are nano-USD as text. */
export interface Discrepancy {
  /** Null where the rows at fault lead to no wallet. */
  readonly walletId: string | null
  readonly what: string
  /** Where that was found which is not as expected. */
  readonly table: string
  /** The first day of the month, and the day; null where it is about no day, or the day is unknown. */
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
