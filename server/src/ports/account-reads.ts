import type { GenerationRecord, RefundReason } from '#domain/ledger/generation-record.ts'
import type { LimitedWindow } from '#domain/limits/scopes.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { PriceList } from '#domain/money/price-list.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { Uuid } from '#lib/uuid.ts'

/** The data that an account may read about itself. */
export interface AccountReads {
  readKeyUse(query: KeyUseQuery): Promise<KeyUse>
  readWalletTotals(walletId: Uuid): Promise<WalletTotals>
}

export interface KeyUseQuery {
  keyId: Uuid
  walletId: Uuid
  /** Starts of the current periods. */
  dayStartMs: number
  weekStartMs: number
  monthStartMs: number
  /** The key's own cap, if it has one. */
  cap: LimitedWindow | null
}

export interface KeyUse {
  total: PeriodUse
  day: PeriodUse
  week: PeriodUse
  month: PeriodUse
  /** Current balance of the paying wallet. */
  balance: NanoUsd
  /** Held and spent in the cap's window. Null without a cap. */
  capTaken: NanoUsd | null
}

export interface PeriodUse {
  spent: NanoUsd
  requests: number
}

export interface WalletTotals {
  credited: NanoUsd
  charged: NanoUsd
  /** The part of the credit that is in the balances of the owner's customers. */
  inCustomerBalances: NanoUsd
}

/** Generations with the data of their receipts, and holds that were never settled. */
export interface GenerationArchive extends Generations {
  find(scope: ReceiptScope, id: Uuid): Promise<PricedGeneration | null>
  findLapsed(scope: UsageScope, id: Uuid): Promise<LapsedHold | null>
}

export interface ReceiptScope extends UsageScope {
  /** Only requests of this customer. */
  readonly endCustomerId?: Uuid
}

export interface PricedGeneration extends StoredGeneration {
  /** Start of validity of the price version at which the generation was charged. */
  priceValidFromMs: number | null
  /** Price versions of the other candidates, by id. */
  candidatePrices: ReadonlyMap<string, PriceList>
  /** The owner's id of the customer that the request named. */
  customer: string | null
  /** The client's id of the run that the request named. */
  run: string | null
  /** The wallet owner's price for this customer. Null without a customer. */
  customerPrice: NanoUsd | null
  /** By name; null if the request had none. */
  tags: Readonly<Record<string, string>> | null
}

export interface LapsedHold {
  id: Uuid
  walletId: Uuid
  keyId: Uuid
  amount: NanoUsd
  lapsedAtMs: number
}

/** Reads finished requests. A request outside the scope looks like one that does not exist. */
interface Generations {
  find(scope: ReceiptScope, id: Uuid): Promise<StoredGeneration | null>
}

interface StoredGeneration {
  record: GenerationRecord
  /** The price version at which the generation was charged. */
  price: PriceList | null
}

/** Finished requests by page, the newest first. */
export interface GenerationLists {
  list(query: GenerationListQuery): Promise<GenerationPage>
}

export interface GenerationListQuery {
  readonly scope: GenerationScope
  readonly filter: GenerationFilter
  /** Only requests with smaller ids. The id need not exist. Null to start from now. */
  readonly before: Uuid | null
  readonly limit: number
  readonly nowMs: number
}

export interface GenerationScope extends UsageScope {
  /** The member's user, if the scope is one member's. */
  readonly userId: Uuid | null
}

/** A null field filters nothing. */
export interface GenerationFilter {
  readonly model: string | null
  readonly provider: string | null
  readonly app: string | null
  readonly keyId: Uuid | null
  readonly teamId: Uuid | null
  /** The customer and the run that the request named, and one of its tags. */
  readonly endCustomerId: Uuid | null
  readonly runId: Uuid | null
  readonly tagId: Uuid | null
  /** The client's own id of its user. */
  readonly endUser: string | null
  /** Refunded requests cost nothing, for any reason; failed ones for a reason that the client did not cause. */
  readonly status: 'charged' | 'refunded' | 'failed' | RefundReason | null
  /** Start time, and the exclusive end time. */
  readonly fromMs: number | null
  readonly toMs: number | null
}

export interface GenerationPage {
  readonly records: readonly ListedGeneration[]
  /**
   * Start of the next page, or null if there is none. If a page could not read everything, it may have few records or
   * none.
   */
  readonly next: Uuid | null
}

export type ListedGeneration = Pick<
  GenerationRecord,
  | 'id'
  | 'keyId'
  | 'memberId'
  | 'teamId'
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
  /** By name. */
  readonly tags?: Readonly<Record<string, string>>
  /** The owner's id of the customer that the request named. */
  readonly customer?: string
  /** The wallet owner's price for this customer. */
  readonly customerPrice?: NanoUsd
  /** The owner's id of the run that the request named. */
  readonly run?: string
  /** The client's own id of its user. */
  readonly user?: string
  /** Number of attempts at upstreams. */
  readonly attemptCount: number
}
