import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { Uuid } from '#lib/uuid.ts'

/** An account for holds and settlements. */
export interface Payer {
  readonly walletId: Uuid
  readonly keyId: Uuid
  readonly userId: Uuid
  /** Null for a person who pays alone. */
  readonly organizationId: Uuid | null
  readonly teamId: Uuid | null
  readonly memberId: Uuid | null
  /** Set for a request of a customer of the wallet's owner. */
  readonly endCustomerId?: Uuid
  readonly windows: readonly LimitedWindow[]
}

/** The task of a process, repeated until the time is up. */
export interface MoneyOrder {
  readonly payers: readonly Payer[]
  readonly ms: number
  /** Through the port with this many concurrent requests; or as sequential bare statements with this many rows each. */
  readonly way: { readonly kind: 'port'; readonly underWay: number } | { readonly kind: 'raw'; readonly batch: number }
}

export interface MoneyReport {
  /** Holds that were also settled. */
  readonly pairs: number
  readonly ms: number
  /** The average number of holds per statement. */
  readonly batch: number
  readonly spooled: number
}

export type MoneyMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly report: MoneyReport }
  | { readonly kind: 'failed'; readonly reason: string }
