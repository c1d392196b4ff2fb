import type { GenerationRecord } from '#domain/ledger/generation-record.ts'

/** A settled request as external systems may see it. Fields that are not listed here are never exported. */
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
  /** The provider account of the last attempt. */
  readonly account: string | null
  /** The wallet owner's own id of the customer that the request was for. */
  readonly customer: string | null
  /** The client's own id of its user. */
  readonly endUser: string | null
  readonly tags: Readonly<Record<string, string>> | null
}
