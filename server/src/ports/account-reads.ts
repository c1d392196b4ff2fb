import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { PriceList } from '#domain/money/price-list.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { Uuid } from '#lib/uuid.ts'

/** What an account may read about itself. */
export interface AccountReads {
  readKeyUse(query: KeyUseQuery): Promise<KeyUse>
  readWalletTotals(walletId: Uuid): Promise<WalletTotals>
}

export interface KeyUseQuery {
  keyId: Uuid
  walletId: Uuid
  /** The starts of the current periods. */
  dayStartMs: number
  weekStartMs: number
  monthStartMs: number
  /** The key's own cap, where it has one. */
  cap: LimitedWindow | null
}

export interface KeyUse {
  total: PeriodUse
  day: PeriodUse
  week: PeriodUse
  month: PeriodUse
  /** Of the paying wallet, as it is now. */
  balance: NanoUsd
  /** What the cap's window has taken, held and spent; null without a cap. */
  capTaken: NanoUsd | null
}

export interface PeriodUse {
  spent: NanoUsd
  requests: number
}

export interface WalletTotals {
  credited: NanoUsd
  charged: NanoUsd
}

/** Generations with what a receipt needs, and the holds that were never settled. */
export interface GenerationArchive extends Generations {
  find(scope: UsageScope, id: Uuid): Promise<PricedGeneration | null>
  findLapsed(scope: UsageScope, id: Uuid): Promise<LapsedHold | null>
}

export interface PricedGeneration extends StoredGeneration {
  /** Since when the price version it was charged with had been in force. */
  priceValidFromMs: number | null
  /** The price versions of those who could have served it, by their ids. */
  candidatePrices: ReadonlyMap<string, PriceList>
}

export interface LapsedHold {
  id: Uuid
  walletId: Uuid
  keyId: Uuid
  amount: NanoUsd
  lapsedAtMs: number
}

/** Reads finished requests; one that the scope does not cover is as unknown as one that never was. */
interface Generations {
  find(scope: UsageScope, id: Uuid): Promise<StoredGeneration | null>
}

interface StoredGeneration {
  record: GenerationRecord
  /** The price version it was charged with. */
  price: PriceList | null
}

/** Finished requests page by page, the newest first. */
export interface GenerationLists {
  list(query: GenerationListQuery): Promise<GenerationPage>
}

export interface GenerationListQuery {
  readonly scope: GenerationScope
  readonly filter: GenerationFilter
  /** Only requests with smaller ids; nothing needs to have this one. Null: from now on back. */
  readonly before: Uuid | null
  readonly limit: number
  readonly nowMs: number
}

export interface GenerationScope extends UsageScope {
  /** The member, where the scope is one member's. */
  readonly userId: Uuid | null
}

/** What is null leaves nothing out. */
export interface GenerationFilter {
  readonly model: string | null
  readonly provider: string | null
  readonly app: string | null
  readonly keyId: Uuid | null
  readonly status: 'charged' | 'refunded' | null
  /** The first moment, and the first that is no longer part of it. */
  readonly fromMs: number | null
  readonly toMs: number | null
}

export interface GenerationPage {
  readonly records: readonly ListedGeneration[]
  /**
   * Where the next page begins; null: there is none. Where a page could not look at everything it may have few records
   * or none.
   */
  readonly next: Uuid | null
}

export type ListedGeneration = Pick<
  GenerationRecord,
  | 'id'
  | 'keyId'
  | 'appName'
  | 'endpoint'
  | 'model'
  | 'provider'
  | 'upstreamStatus'
  | 'finishReason'
  | 'streamed'
  | 'cancelled'
  | 'isByok'
  | 'isFailover'
  | 'startedAtMs'
  | 'firstTokenMs'
  | 'durationMs'
  | 'usage'
  | 'cost'
  | 'cacheDiscount'
  | 'refundReason'
> & {
  /** How often an upstream was asked. */
  readonly attemptCount: number
}
