import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { DayRange } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'

/** Sums of settled requests, as far as they have been folded: seconds behind, and never read from the requests themselves. */
export interface UsageReads {
  sum(query: UsageQuery): Promise<readonly UsageRow[]>
}

export interface UsageQuery {
  readonly walletId: Uuid
  /** Whole days, or whole hours where hours are asked for. */
  readonly range: DayRange
  /** One row for each combination that occurs; nothing: at most one row in all. */
  readonly by: readonly UsageDimension[]
  /** Every figure is of what fits all of these. */
  readonly filter?: UsageFilter
  /** Whether rows say how soon first tokens came. */
  readonly withFirstTokens?: true
}

export const usageDimensions = ['hour', 'day', 'month', 'key', 'member', 'team', 'model', 'provider', 'app'] as const
export type UsageDimension = (typeof usageDimensions)[number]

export interface UsageFilter {
  readonly keyId?: Uuid
  readonly memberId?: Uuid
  readonly model?: string
  readonly app?: string
}

/** Of the dimensions, those that were asked for are present. Days are dates, hours ISO 8601, months their first day. */
export interface UsageRow extends UsageSums {
  readonly hour?: string
  readonly day?: string
  readonly month?: string
  readonly key?: Uuid
  readonly member?: Uuid | null
  readonly team?: Uuid | null
  readonly model?: string
  readonly provider?: string | null
  readonly app?: string | null
}

export interface UsageSums {
  readonly requests: number
  /** Those that nobody served, through no fault of the caller. */
  readonly failed: number
  readonly spent: NanoUsd
  /** By cached tokens. */
  readonly saved: NanoUsd
  readonly promptTokens: number
  readonly completionTokens: number
  /** As in domain/usage/first-token-times.ts; present if asked for. */
  readonly firstTokenCounts?: readonly number[]
}
