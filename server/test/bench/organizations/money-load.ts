import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Somebody on whose account requests are held and settled. */
export interface Payer {
  readonly walletId: Uuid
  readonly keyId: Uuid
  readonly userId: Uuid
  /** None of a person who pays alone. */
  readonly organizationId: Uuid | null
  readonly teamId: Uuid | null
  readonly memberId: Uuid | null
  readonly windows: readonly LimitedWindow[]
}

/** What a process is told to do, over and over until the time is up. */
export interface MoneyOrder {
  readonly payers: readonly Payer[]
  readonly ms: number
  /**
   * Through the port, with so many requests under way; or the bare statements, one after the other, with so many in
   * each.
   */
  readonly way: { readonly kind: 'port'; readonly underWay: number } | { readonly kind: 'raw'; readonly batch: number }
}

export interface MoneyReport {
  /** Holds that were settled as well. */
  readonly pairs: number
  readonly ms: number
  /** How many holds a statement had on average. */
  readonly batch: number
  readonly spooled: number
}

export type MoneyMessage =
  | { readonly kind: 'ready' }
  | { readonly kind: 'done'; readonly report: MoneyReport }
  | { readonly kind: 'failed'; readonly reason: string }
