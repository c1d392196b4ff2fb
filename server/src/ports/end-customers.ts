import type { EndCustomerLimits, EndCustomerTerms } from '#domain/end-customers/end-customer.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { ChangeAuthor, KeyAccount } from './keys.ts'
import type { Page, PageRequest } from './pages.ts'

/** The customers of a wallet's owner. Their ids are the owner's; the same id of another owner is another customer. */
export interface EndCustomers {
  /**
   * An unknown customer is created, without limits. Beyond the maximum of a wallet, or if its owner was deleted, it is
   * refused, like `create`.
   */
  findOrCreate(walletId: Uuid, externalId: string): Promise<EndCustomerTerms>
  /** Null if there is no such customer. */
  findTerms(walletId: Uuid, externalId: string): Promise<EndCustomerTerms | null>
  create(account: KeyAccount, customer: NewEndCustomer, author: ChangeAuthor): Promise<{ walletId: Uuid } | 'exists'>
  /** Returns the wallet, so that cached terms can be dropped. */
  change(
    which: EndCustomerReference,
    change: EndCustomerChange,
    author: ChangeAuthor,
  ): Promise<{ walletId: Uuid } | 'missing'>
  find(which: EndCustomerReference, nowMs: number): Promise<EndCustomerRecord | null>
  list(account: KeyAccount, page: PageRequest<EndCustomerSort>, nowMs: number): Promise<Page<EndCustomerRecord>>
  /** Days without requests are left out. */
  readDays(which: EndCustomerReference, days: DayRange): Promise<readonly EndCustomerDay[] | null>
}

export type EndCustomerSort = 'created'

export interface EndCustomerReference {
  readonly account: KeyAccount
  readonly externalId: string
}

export interface NewEndCustomer {
  readonly id: Uuid
  readonly externalId: string
  readonly name: string | null
  readonly limits: EndCustomerLimits
}

/** Missing members keep their value. */
export interface EndCustomerChange {
  readonly name?: string | null
  readonly limits: Partial<EndCustomerLimits>
  readonly suspended?: boolean
}

export interface EndCustomerRecord {
  readonly id: Uuid
  readonly externalId: string
  readonly name: string | null
  readonly limits: EndCustomerLimits
  readonly suspended: boolean
  readonly createdAtMs: number
  /** What the customer has spent in this UTC day and month, and ever. */
  readonly spent: { readonly day: NanoUsd; readonly month: NanoUsd; readonly total: NanoUsd }
  readonly requests: number
}

/** Dates such as 2026-11-19; both are included. */
export interface DayRange {
  readonly from: string
  readonly to: string
}

export interface EndCustomerDay {
  readonly day: string
  readonly spent: NanoUsd
  readonly requests: number
  readonly tokens: number
}
