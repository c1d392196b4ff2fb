import type { AuditEntry } from '#domain/audit/audit-entry.ts'
import type { LedgerAccount, OwnerKind, Transfer, TransferKind } from '#domain/ledger/transfer.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { ExpiringCredit } from '#domain/payments/grant.ts'
import type { JsonObject } from '#lib/json.ts'
import type { CalendarDate, DayRange } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { IdempotentRequest } from './idempotency.ts'

export interface Wallets {
  /** Finds a wallet by its id, its owner's id, a user's email address or an organization's slug. */
  find(reference: string): Promise<Wallet | null>
  /** Writes the transfers and updates the balance, in one transaction. Null if there is no such wallet. */
  credit(credit: WalletCredit): Promise<CreditedWallet | 'key_reused' | 'too_much' | null>
}

export interface CreditedWallet {
  /** Id of the ledger transaction. For a repeated request, that of the first. */
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
  /** Id of the ledger transaction. */
  id: Uuid
  walletId: Uuid
  transfers: readonly Transfer[]
  note: string | null
  /** Null if the credit does not expire. Only credit that was not paid for can expire. */
  expiresAtMs?: number | null
  /** The audit entry, written in the same transaction. */
  entry?: AuditEntry
  /** Books once, however often the request is sent. */
  request?: IdempotentRequest | null
  /** Rejected if the wallet would end above zero: only debt is paid. */
  isDebtOnly?: boolean
}

/** Credit that expires. */
export interface Grants {
  /** Removes the unused part of expired grants from at most this many wallets. Returns how many wallets it checked. */
  expire(atMost: number, nowMs: number): Promise<ExpiredGrants>
}

export interface ExpiredGrants {
  readonly wallets: number
  /** Total amount returned. */
  readonly returned: NanoUsd
}

/** The data that the owner of a wallet may read from its ledger. */
export interface LedgerReads {
  /** The wallet with its totals. */
  readWallet(walletId: Uuid): Promise<WalletTotals>
  /** The newest first. A charge has the time when its request began. */
  listTransfers(query: TransferQuery): Promise<readonly BookedTransfer[]>
  /** The newest first. */
  listHolds(query: HoldQuery): Promise<readonly OpenHold[]>
  /** For a span of whole days. */
  readStatement(walletId: Uuid, range: DayRange): Promise<WalletStatement>
}

export interface WalletTotals extends Wallet {
  /** The part of `held` that is in the balances of the owner's customers. */
  readonly inCustomerBalances: NanoUsd
  readonly creditLine: NanoUsd
  /**
   * Amounts that the wallet received or lost besides charges. Refunds to the payer are negative, and `corrected` may be
   * negative.
   */
  readonly paid: NanoUsd
  readonly granted: NanoUsd
  readonly redeemed: NanoUsd
  readonly expired: NanoUsd
  readonly corrected: NanoUsd
  readonly refunded: NanoUsd
  readonly disputed: NanoUsd
  readonly writtenOff: NanoUsd
  /** Whether the owner was ever told about changed prices or retirements. */
  readonly hasNotices: boolean
  /** Expiring parts of the balance, the soonest first. */
  readonly expiring: readonly ExpiringCredit[]
}

export interface TransferQuery {
  readonly walletId: Uuid
  /** Null for all. */
  readonly kind: OwnerKind | null
  readonly fromMs: number | null
  readonly toMs: number | null
  /** Only entries after this one in the list, or null to start with the newest. */
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
  /** Balance of the wallet after it. Null for transfers booked before this was stored. */
  readonly balanceAfter: NanoUsd | null
  readonly bookedAtMs: number
}

export interface HoldQuery {
  readonly walletId: Uuid
  readonly before: Uuid | null
  readonly limit: number
}

export interface OpenHold {
  /** Id of its generation. */
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
  /** One per kind. */
  readonly lines: readonly StatementLine[]
}

export interface StatementLine extends KindSum {
  readonly kind: OwnerKind
}

export interface KindSum {
  /** Change of the balance. */
  readonly change: NanoUsd
  /** Amount moved. Fees and taxes are moved beside the wallet and do not change it. */
  readonly moved: NanoUsd
}

/** A contradiction in the ledger. Amounts are nano-USD as strings. */
export interface Discrepancy {
  /** Null if the rows at fault belong to no wallet. */
  readonly walletId: string | null
  readonly what: string
  /** The table with the unexpected value. */
  readonly table: string
  /** The month as its first day, and the day. Null if the finding concerns no day, or the day is unknown. */
  readonly month: CalendarDate | null
  readonly day: CalendarDate | null
  /** The row at fault: a hold's or generation's id, a key and day, a window. Null for the wallet itself. */
  readonly subject: string | null
  readonly expected: string
  readonly found: string
  /**
   * Some of the rows that show the contradiction, only for the first of several findings. The others often have the
   * same cause.
   */
  readonly rows: readonly JsonObject[]
}

/** Makes the comparisons that stay cheap, however long the history is. */
export interface Reconciliation {
  /** Null if another worker is running it. */
  reconcile(): Promise<Reconciled | null>
}

export interface Reconciled {
  readonly wallets: number
  /** Settled requests that are not in the rollups yet and were counted separately. */
  readonly pending: number
  readonly discrepancies: readonly Discrepancy[]
}
