import type { GenerationRecord } from '#domain/ledger/generation-record.ts'

/** A settled request as others may know it. What is not named here cannot leave. */
export type SettledEvent = Pick<
  GenerationRecord,
  | 'id'
  | 'walletId'
  | 'organizationId'
  | 'memberId'
  | 'teamId'
  | 'userId'
  | 'keyId'
  | 'appName'
  | 'endpoint'
  | 'model'
  | 'provider'
  | 'upstreamModel'
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
  readonly settledAtMs: number
  /** The provider account that was asked last. */
  readonly account: string | null
}
