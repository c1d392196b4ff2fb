import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { DayRange } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'

/**
 * Sums of settled requests, as far as they have been rolled up: seconds behind, and never read from the requests
 * themselves.
 */
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

const usageDimensions = ['hour', 'day', 'month', 'key', 'member', 'team', 'model', 'provider', 'app'] as const
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
  /** Those that failed through no fault of the client. */
  readonly failed: number
  readonly spent: NanoUsd
  /** By cached tokens. */
  readonly saved: NanoUsd
  readonly promptTokens: number
  readonly completionTokens: number
  /** As in domain/usage/first-token-times.ts; present if asked for. */
  readonly firstTokenCounts?: readonly number[]
}

/** What sums of usage are about: the wallet that paid, and its keys by name. */
export interface UsageSubjects {
  readWallet(walletId: Uuid): Promise<{ readonly balance: NanoUsd; readonly createdAtMs: number }>
  /** Deleted keys keep their names. Those that this wallet never had are absent. */
  readKeyNames(query: { walletId: Uuid; keyIds: readonly Uuid[] }): Promise<ReadonlyMap<Uuid, string>>
}

/** Answers that are kept for some minutes, so that the same question gets the same answer. All of it may be lost. */
export interface AnswerCache {
  find(question: string, nowMs: number): Promise<string | null>
  /** Of several answers to one question the first stays; whichever stays is answered. */
  keep(question: string, answer: string, nowMs: number): Promise<string>
}

/** Adds settled generations to the sums that pages are read from, each exactly once. */
export interface UsageRollup {
  /** One batch of about this many; one transaction. */
  rollUp(atMost: number): Promise<RollupBatch>
}

export interface RollupBatch {
  readonly rolledUp: number
  /** Whether there may be more at once. */
  readonly isFull: boolean
}

/** Drops what has been kept for long enough, whole days and months at a time. One worker at a time does. */
export interface Retention {
  /** The oldest day of requests, once it ended more than so many days ago. */
  dropDay(keepDays: number): Promise<DropOutcome>
  /** The oldest month of hourly sums, once it ended more than so many months ago. */
  dropMonth(keepMonths: number): Promise<DropOutcome>
}

/**
 * `nothing` is old enough, or another worker is at it; it is `held` back, because it is still to be summed up or sent;
 * or the table was `busy`, and no statement shall wait for that. A partition is named as Postgres knows it.
 */
export type DropOutcome =
  | { readonly kind: 'dropped' | 'held'; readonly partition: string }
  | { readonly kind: 'nothing' | 'busy' }
