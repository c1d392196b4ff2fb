import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { LedgerAccount, OwnerKind, Transfer, TransferKind } from '#domain/ledger/transfer.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { ExpiringCredit } from '#domain/payments/grant.ts'
import type { JsonObject } from '#lib/json.ts'
import type { CalendarDate, DayRange } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { IdempotentRequest } from './idempotency.ts'

export interface Wallets {
  /** By the wallet's id, its owner's id, a user's mail address or an organization's slug. */
  find(reference: string): Promise<Wallet | null>
  /** Writes the transfers and moves the balance with them, in one transaction. Null: no such wallet. */
  credit(credit: WalletCredit): Promise<CreditedWallet | 'key_reused' | 'too_much' | null>
}

export interface CreditedWallet {
  /** Of the ledger transaction; of the first one, where the request was sent before. */
  readonly id: Uuid
  readonly balance: NanoUsd
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
  /** Null: the credit does not expire. Only credit that was not paid for may. */
  expiresAtMs?: number | null
  /** What the audit log is to tell, in the same transaction. */
  entry?: AuditEntry
  /** Books once, however often it is sent. */
  request?: IdempotentRequest | null
  /** Refused where the wallet would have more than nothing: only debt is paid. */
  isDebtOnly?: boolean
}

/** Credit that expires. */
export interface Grants {
  /**
   * Takes back what is unused of grants that have ended, of at most so many wallets. Answers how many wallets it looked
   * at.
   */
  expire(atMost: number, nowMs: number): Promise<ExpiredGrants>
}

export interface ExpiredGrants {
  readonly wallets: number
  /** What went back, in all. */
  readonly returned: NanoUsd
}

/** What the owner of a wallet may read of its books. */
export interface LedgerReads {
  /** The wallet with its totals. */
  readWallet(walletId: Uuid): Promise<WalletTotals>
  /** The newest first: a charge by the time its request began. */
  listTransfers(query: TransferQuery): Promise<readonly BookedTransfer[]>
  /** The newest first. */
  listHolds(query: HoldQuery): Promise<readonly OpenHold[]>
  /** Of a span of whole days. */
  readStatement(walletId: Uuid, range: DayRange): Promise<WalletStatement>
}

export interface WalletTotals extends Wallet {
  readonly creditLine: NanoUsd
  /**
   * What has reached or left the wallet beside charges; what went back to the payer is below zero, and so may
   * `corrected` be.
   */
  readonly paid: NanoUsd
  readonly granted: NanoUsd
  readonly redeemed: NanoUsd
  readonly expired: NanoUsd
  readonly corrected: NanoUsd
  readonly refunded: NanoUsd
  readonly disputed: NanoUsd
  readonly writtenOff: NanoUsd
  /** What of the balance expires, the soonest first. */
  readonly expiring: readonly ExpiringCredit[]
}

export interface TransferQuery {
  readonly walletId: Uuid
  /** Null: all. */
  readonly kind: OwnerKind | null
  readonly fromMs: number | null
  readonly toMs: number | null
  /** Only what comes after this one in the list; null: from the newest on. */
  readonly after: TransferReference | null
  readonly limit: number
}

/** A transaction of several legs, such as a top-up with its fee, has one id. */
export interface TransferReference {
  readonly id: Uuid
  readonly leg: number
}

export interface BookedTransfer extends TransferReference {
  readonly kind: TransferKind
  readonly debit: LedgerAccount
  readonly credit: LedgerAccount
  readonly amount: NanoUsd
  /** What the wallet had then; null for transfers that were booked before this was kept. */
  readonly balanceAfter: NanoUsd | null
  readonly bookedAtMs: number
}

export interface HoldQuery {
  readonly walletId: Uuid
  readonly before: Uuid | null
  readonly limit: number
}

export interface OpenHold {
  /** Of the generation that it is for. */
  readonly id: Uuid
  readonly keyId: Uuid
  readonly amount: NanoUsd
  readonly placedAtMs: number
  readonly ageMs: number
  readonly leaseUntilMs: number
}

export interface WalletStatement {
  readonly opening: NanoUsd
  readonly closing: NanoUsd
  /** One for each kind. */
  readonly lines: readonly StatementLine[]
}

export interface StatementLine extends KindSum {
  readonly kind: OwnerKind
}

export interface KindSum {
  /** By how much the balance changed. */
  readonly change: NanoUsd
  /** What was moved; fees and taxes are moved beside the wallet and do not change it. */
  readonly moved: NanoUsd
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
  readonly pending: number
  readonly discrepancies: readonly Discrepancy[]
}
