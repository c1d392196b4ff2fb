import type { Usage } from '#domain/inference/usage.ts'
import type { RoutingExplanation } from '#domain/routing/explanation.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** For whom a request was made. Members are missing where the request said nothing. */
export interface AttributedIds {
  endCustomerId?: Uuid
  /** Sorted. */
  tagIds?: readonly Uuid[]
  runId?: Uuid
}

/** All data stored of a finished request, without content. */
export interface GenerationRecord extends AttributedIds {
  id: Uuid
  walletId: Uuid
  keyId: Uuid
  userId: Uuid | null
  organizationId: Uuid | null
  memberId: Uuid | null
  teamId: Uuid | null
  /** The institution's session of the request. */
  sessionId: Uuid | null
  appName: string | null
  /** The client's own id of its user, from the body (`endUserOf`). Missing if the body names none. */
  endUser?: string
  /** The name of the path: chat, responses, messages… */
  endpoint: string
  model: string
  provider: string | null
  upstreamModel: string | null
  upstreamStatus: number | null
  finishReason: string | null
  nativeFinishReason: string | null
  streamed: boolean
  cancelled: boolean
  isByok: boolean
  isFailover: boolean
  startedAtMs: number
  firstTokenMs: number | null
  durationMs: number
  usage: Usage
  held: NanoUsd
  cost: NanoUsd
  /** The cost that could not be charged, which is the operator's loss; missing if there was none. */
  absorbed?: NanoUsd
  /**
   * The provider counted more than the model can have produced: `usage` is the provider's count, and at most the hold
   * was charged.
   */
  usageDoubted?: boolean
  /** The cost to the operator at the provider; missing if it is exactly the charged and absorbed cost. */
  providerCost?: NanoUsd
  cacheDiscount: NanoUsd
  /**
   * The generation that first got the cached answer, and the price in percent of the list price. Missing for other
   * requests.
   */
  cached?: { readonly from: Uuid; readonly percent: number }
  priceId: Uuid | null
  refundReason: RefundReason | null
  attempts: readonly Attempt[]
  /** Null if it was not stored. */
  routing: RoutingExplanation | null
}

/** One attempt at one upstream. */
export interface Attempt {
  model: string
  provider: string
  /** The name of the provider account, for operators only. Records of earlier releases have none. */
  account?: string
  outcome: string
  status: number | null
  durationMs: number
  /** The attempt used an organization's own key; the provider may be one of the platform's as well. */
  ownKey?: true
  /** Estimated list-price cost of a lost attempt of a hedged request, for operators only. */
  estimatedUsd?: string
  /** The provider's error message, for operators only: at most 500 characters, without secrets or client data. */
  said?: string
}

/** Why a request was not charged. */
export const refundReasons = [
  'upstream_failed', // no upstream answered
  'upstream_rejected', // an upstream refused the request itself
  'unusable_answer', // answered, but with nothing usable
  'stream_interrupted', // the stream ended before its usage arrived
  'no_usage', // a complete answer without a usage record
  'zero_usage', // a usage record of zeros
  'client_cancelled', // the client left before usage arrived
  'credit_exhausted', // the hold could not be extended while streaming
  'gateway_fault', // our own mistake
  'lease_lapsed', // the process that served it died
  'not_billed', // a test model
  'free_tier', // within a free quota
  'own_key', // the vendor bills the organization's own key
  'cache_hit', // the answer was kept from an earlier request
] as const
export type RefundReason = (typeof refundReasons)[number]
