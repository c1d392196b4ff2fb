import type { GenerationRecord } from '#domain/ledger/generation-record.ts'
import type { UsageScope } from '#domain/usage/usage-scope.ts'
import type { Uuid } from '#lib/uuid.ts'

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
  /** Whoever the member is, where the scope is one member's. */
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
  /** Where the next page begins; null: there is none. Where a page could not look at everything it may have few records or none. */
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
>
