import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Tag } from '#domain/tags/tag.ts'
import type { DayRange } from '#lib/utc-calendar.ts'
import type { Uuid } from '#lib/uuid.ts'

/**
 * Sums of settled requests, as far as they are rolled up: seconds behind, and never computed from the requests
 * themselves.
 */
export interface UsageReads {
  sum(query: UsageQuery): Promise<readonly UsageRow[]>
}

export interface UsageQuery {
  readonly walletId: Uuid
  /** Whole days, or whole hours if hours are requested. */
  readonly range: DayRange
  /** One row per combination that occurs. If empty, at most one row in total. */
  readonly by: readonly UsageDimension[]
  /** Every figure includes only requests that match all of these. */
  readonly filter?: UsageFilter
  /** Whether rows include the times to the first token. */
  readonly withFirstTokens?: true
}

const usageDimensions = ['hour', 'day', 'month', 'key', 'member', 'team', 'model', 'provider', 'app', 'tag'] as const
export type UsageDimension = (typeof usageDimensions)[number]

export interface UsageFilter {
  readonly keyId?: Uuid
  readonly memberId?: Uuid
  readonly teamId?: Uuid
  readonly model?: string
  readonly app?: string
  readonly tagId?: Uuid
}

/** The requested dimensions are present. Days are dates, hours are ISO 8601, months are their first day. */
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
  /** A request counts once for each of its tags, and not at all without any. */
  readonly tag?: Uuid
}

export interface UsageSums {
  readonly requests: number
  /** Requests that failed for reasons that the client did not cause. */
  readonly failed: number
  readonly spent: NanoUsd
  /** Saved by cached tokens. */
  readonly saved: NanoUsd
  readonly promptTokens: number
  readonly completionTokens: number
  /** See domain/usage/first-token-times.ts. Present if requested. */
  readonly firstTokenCounts?: readonly number[]
}

/** The subjects of usage: the wallet that paid, and its keys, members and teams by name. */
export interface UsageSubjects {
  readWallet(
    walletId: Uuid,
  ): Promise<{ readonly balance: NanoUsd; readonly createdAtMs: number; readonly hasTags: boolean }>
  /** Deleted keys keep their names. Keys that this wallet never had are absent. */
  readKeyNames(query: { walletId: Uuid; keyIds: readonly Uuid[] }): Promise<ReadonlyMap<Uuid, string>>
  /** People who left keep their names as long as one of their keys is stored. Members of other wallets are absent. */
  readPeople(query: { walletId: Uuid; memberIds: readonly Uuid[] }): Promise<ReadonlyMap<Uuid, MemberPerson>>
  /** Deleted teams and teams of other wallets are absent. */
  readTeamNames(query: { walletId: Uuid; teamIds: readonly Uuid[] }): Promise<ReadonlyMap<Uuid, string>>
  /** Null if no request of the wallet had the tag. */
  findTag(walletId: Uuid, tag: Tag): Promise<Uuid | null>
  /** Null if the wallet has no customer with this id of its owner. */
  findCustomer(walletId: Uuid, externalId: string): Promise<Uuid | null>
  /** Null if the wallet has no run with this id of its owner. */
  findRun(walletId: Uuid, externalId: string): Promise<Uuid | null>
  /** Tags of other wallets are absent. */
  readTags(query: { walletId: Uuid; tagIds: readonly Uuid[] }): Promise<ReadonlyMap<Uuid, Tag>>
}

/** The person behind a membership. */
export interface MemberPerson {
  readonly memberId: Uuid
  readonly userId: Uuid
  readonly name: string
  readonly email: string
}

/** Caches answers for some minutes, so that the same question gets the same answer. All of them may be lost. */
export interface AnswerCache {
  find(question: string, nowMs: number): Promise<string | null>
  /** Keeps the first of several answers to one question, and returns it. */
  keep(question: string, answer: string, nowMs: number): Promise<string>
}

/** Adds settled generations to the sums that pages read, each exactly once. */
export interface UsageRollup {
  /** Rolls up one batch of about this many generations, in one transaction. */
  rollUp(atMost: number): Promise<RollupBatch>
}

export interface RollupBatch {
  readonly rolledUp: number
  /** Whether there may be more to roll up immediately. */
  readonly isFull: boolean
}

/** Drops data past its retention, in whole days and months. One worker at a time runs it. */
export interface Retention {
  /** Drops the oldest day of requests, if it ended more than this many days ago. */
  dropDay(keepDays: number): Promise<DropOutcome>
  /** Drops the oldest day of refused requests, if it ended more than this many days ago, and the counts of its time. */
  dropRefusals(keepDays: number): Promise<DropOutcome>
  /** Drops the oldest month of hourly sums, if it ended more than this many months ago. */
  dropMonth(keepMonths: number): Promise<DropOutcome>
}

/**
 * `nothing`: no partition is old enough, or another worker is dropping it. `held`: the partition still has to be rolled
 * up or sent. `busy`: the table is in use, and no statement may wait for it. A partition has its Postgres name.
 */
export type DropOutcome =
  | { readonly kind: 'dropped' | 'held'; readonly partition: string }
  | { readonly kind: 'nothing' | 'busy' }
