import type { KeyAccount } from '#domain/access/key-account.ts'
import type { EndCustomerLimits, EndCustomerTerms } from '#domain/end-customers/end-customer.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { IdempotentRequest } from './idempotency.ts'
import type { ChangeAuthor } from './keys.ts'
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
  /**
   * Returns the wallet, so that cached terms can be dropped. `has balance`: only a customer without a balance can stop
   * being prepaid.
   */
  change(
    which: EndCustomerReference,
    change: EndCustomerChange,
    author: ChangeAuthor,
  ): Promise<{ walletId: Uuid } | 'missing' | 'has balance'>
  /**
   * Moves money between the wallet and the customer's balance, and makes the customer prepaid. A repeated request moves
   * nothing.
   */
  transfer(which: EndCustomerReference, transfer: CustomerTransfer, author: ChangeAuthor): Promise<TransferOutcome>
  /** Transfers with smaller ids than `before`, the newest first. Null if there is no such customer. */
  listTransfers(
    which: EndCustomerReference,
    page: { readonly before: Uuid | null; readonly limit: number },
  ): Promise<{ readonly entries: readonly BookedCustomerTransfer[]; readonly next: Uuid | null } | null>
  find(which: EndCustomerReference, nowMs: number): Promise<EndCustomerRecord | null>
  list(account: KeyAccount, page: PageRequest<EndCustomerSort>, nowMs: number): Promise<Page<EndCustomerRecord>>
  /** Days without requests are left out. */
  readDays(which: EndCustomerReference, days: DayRange): Promise<readonly EndCustomerDay[] | null>
  /** Null if there is no such customer. */
  readStatement(which: EndCustomerReference, days: DayRange): Promise<CustomerStatement | null>
  readSettings(account: KeyAccount): Promise<CustomerSettings>
  changeSettings(account: KeyAccount, change: CustomerSettingsChange, author: ChangeAuthor): Promise<CustomerSettings>
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
  readonly isPrepaid?: boolean
}

/** Missing members keep their value. */
export interface EndCustomerChange {
  readonly name?: string | null
  readonly limits: Partial<EndCustomerLimits>
  readonly suspended?: boolean
  /** Null for the default of the wallet. */
  readonly markup?: number | null
  readonly isPrepaid?: boolean
}

export interface CustomerTransfer {
  /** Id of the ledger transaction. */
  readonly id: Uuid
  readonly amount: NanoUsd
  readonly to: 'customer' | 'wallet'
  /** The idempotency key: a retry moves nothing. */
  readonly request: IdempotentRequest | null
}

export interface BookedCustomerTransfer extends Pick<CustomerTransfer, 'id' | 'amount' | 'to'> {
  readonly bookedAtMs: number
}

/**
 * `short`: the paying side has only this amount that no request holds. `key_reused`: the key belongs to another
 * transfer.
 */
export type TransferOutcome =
  | { readonly outcome: 'moved'; readonly id: Uuid; readonly walletId: Uuid }
  | { readonly outcome: 'short'; readonly room: NanoUsd }
  | { readonly outcome: 'missing' | 'key_reused' | 'not prepaid' }

/** The default terms of a wallet's customers. */
export interface CustomerSettings {
  /** Copied to new customers that requests create. */
  readonly limits: EndCustomerLimits
  /** The default markup, in basis points. */
  readonly markup: number
}

/** Missing members keep their value. */
export interface CustomerSettingsChange {
  readonly limits: Partial<EndCustomerLimits>
  readonly markup?: number
}

/** The prices of a customer's requests in a range of days. */
export interface CustomerStatement {
  readonly lines: readonly StatementLine[]
  /** The first day whose requests are still kept. */
  readonly keptFrom: string
}

export interface StatementLine {
  readonly day: string
  readonly model: string
  readonly requests: number
  readonly tokens: number
  /** The sum of the prices of the requests, each rounded up to a nano-dollar. */
  readonly price: NanoUsd
}

export interface EndCustomerRecord {
  readonly id: Uuid
  readonly externalId: string
  readonly name: string | null
  readonly limits: EndCustomerLimits
  readonly suspended: boolean
  /** In basis points. Null for the default of the wallet. */
  readonly markup: number | null
  /** Null if requests are paid from the wallet. */
  readonly balance: CustomerBalance | null
  readonly createdAtMs: number
  /** What the customer has spent in this UTC day and month, and ever. */
  readonly spent: { readonly day: NanoUsd; readonly month: NanoUsd; readonly total: NanoUsd }
  readonly requests: number
}

/** The balance of a prepaid customer, and the part that running requests hold. */
export interface CustomerBalance {
  readonly amount: NanoUsd
  readonly held: NanoUsd
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

/** Credentials of one customer, for browsers and phones. */
export interface CustomerTokens {
  /** `full`: the customer has the maximum number of tokens. `no key`: the wallet has no such key for inference. */
  create(
    which: EndCustomerReference,
    token: NewCustomerToken,
    author: ChangeAuthor,
  ): Promise<'created' | 'missing' | 'no key' | 'full'>
  /** Tokens that have not expired, and those that expired within the last day. Null if there is no such customer. */
  list(which: EndCustomerReference, page: PageRequest<EndCustomerSort>): Promise<Page<CustomerTokenRecord> | null>
  /** Returns the hash of the token, so that its cached principal can be dropped. */
  revoke(which: EndCustomerReference, tokenId: Uuid, author: ChangeAuthor): Promise<{ tokenHash: string } | 'missing'>
}

export interface NewCustomerToken {
  readonly id: Uuid
  readonly keyId: Uuid
  readonly tokenHash: string
  readonly limit: NanoUsd | null
  readonly allowedModels: readonly string[] | null
  readonly expiresAtMs: number
  readonly tokensMax: number
}

export interface CustomerTokenRecord {
  readonly id: Uuid
  readonly keyId: Uuid
  readonly limit: NanoUsd | null
  /** Counted only if the token has a limit. */
  readonly spent: NanoUsd | null
  readonly allowedModels: readonly string[] | null
  readonly createdAtMs: number
  readonly expiresAtMs: number
  readonly revokedAtMs: number | null
}
