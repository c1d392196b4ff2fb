import type { Usage } from '#domain/inference/usage.ts'
import type { RoutingExplanation } from '#domain/routing/explanation.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Everything kept of a finished request. No content. */
export interface GenerationRecord {
  id: Uuid
  walletId: Uuid
  keyId: Uuid
  userId: Uuid | null
  organizationId: Uuid | null
  memberId: Uuid | null
  teamId: Uuid | null
  /** The institution's session it came with. */
  sessionId: Uuid | null
  appName: string | null
  /** The path's name: chat, responses, messages… */
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
  /** What it came to beyond what could be charged, which is the operator's loss; absent where nothing was. */
  absorbed?: NanoUsd
  /**
   * The provider counted more than the model could have made: `usage` is its figure, and at most the hold was charged.
   */
  usageDoubted?: boolean
  cacheDiscount: NanoUsd
  priceId: Uuid | null
  refundReason: RefundReason | null
  attempts: readonly Attempt[]
  /** Null where it was not kept. */
  routing: RoutingExplanation | null
}

/** One try at one upstream. */
export interface Attempt {
  model: string
  provider: string
  /** The name of the provider account, for operators only. Records of earlier releases have none. */
  account?: string
  outcome: string
  status: number | null
  durationMs: number
  /** With an organization's own key; the provider may be one of the platform's as well. */
  ownKey?: true
  /**
   * What the provider said when it failed, for operators only: at most 500 characters, without secrets or anything of
   * the client's.
   */
  said?: string
}

/** Why a request cost nothing. */
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
] as const
export type RefundReason = (typeof refundReasons)[number]
