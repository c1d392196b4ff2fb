import type { FailureVerdict, TakenAttempt } from '#domain/limits/failures.ts'
import type { FreeAsk, FreeStanding } from '#domain/limits/free-quota.ts'
import type { RateClass, RateVerdict } from '#domain/limits/rate.ts'
import type { UnbilledSums } from '#domain/limits/unbilled.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'

/** Counts requests per client. All counts may be lost without losing money. */
export interface Rates {
  admit(subject: RateSubject, limit: number, nowMs: number): Promise<RateVerdict>
  /** Reads the state of the window without counting a request. */
  read(subject: RateSubject, limit: number, nowMs: number): Promise<RateVerdict>
  /**
   * Counts a response that the client abandoned before it could be billed. Too many of them block like too many
   * requests.
   */
  noteUnbilledCancel(subject: RateSubject, keyId: string, nowMs: number): Promise<void>
}

export interface RateSubject {
  /** The paying wallet is the hash tag of the counter in Redis, so that each call needs only one shard. */
  walletId: string
  /** The person, or the key if it belongs to no person. */
  clientId: string
  class: RateClass
}

/** Counts the use of free models. The counts may be lost without losing money. */
export interface FreeQuotas {
  /**
   * The state of each quota, in the given order. With `takesFirst`, the request is counted against the first one
   * immediately.
   */
  ask(subject: FreeSubject, asks: readonly FreeAsk[], options: FreeAskOptions): Promise<readonly FreeStanding[]>
}

/**
 * The owner of the quotas. The owner's id is the hash tag of the counters in Redis, so that each call needs only one
 * shard.
 */
export interface FreeSubject {
  readonly ownerId: string
  readonly clientId: string
}

export interface FreeAskOptions {
  readonly takesFirst: boolean
  readonly nowMs: number
}

/**
 * Unpaid, paid, running and at-risk amounts by subject. Subjects are hashes. All of them may be lost without losing
 * money.
 */
export interface Unbilled {
  /** Adds to the sums and returns the result, at once where it is known. */
  add(subject: string, change: UnbilledChange, nowMs: number): UnbilledSums | Promise<UnbilledSums>
}

export interface UnbilledChange {
  readonly left?: NanoUsd
  readonly borne?: NanoUsd
  readonly paid?: NanoUsd
  /** Negative for a request that has ended. */
  readonly underWay?: NanoUsd
  /** Negative for a risk that has passed. */
  readonly atRisk?: NanoUsd
  /**
   * When the running request began. Its estimate and risk expire at the end of the next hour, whatever happened to the
   * request.
   */
  readonly sinceMs?: number
}

/** Counts wrong passwords for all processes. Subjects are hashes. The counts may be lost without opening an account. */
export interface Failures {
  /** Counts an attempt as failed before its password is checked, except during a pause. */
  take(subject: string, tolerance: number, nowMs: number): Promise<FailureVerdict>
  giveBack(subject: string, taken: TakenAttempt): Promise<void>
  /**
   * Counts a failure towards the pressure on a subject, which alone stops no attempt. Returns the failures in the
   * window.
   */
  notePressure(subject: string, nowMs: number): Promise<number>
  readPressure(subject: string, nowMs: number): Promise<number>
}

/** Measurements shared by all processes. Losing them costs only a few minutes of data. */
export interface SharedMeasurements {
  add(counts: readonly MeasuredCount[]): Promise<void>
  /** Everything counted in the intervals that start at these times. */
  read(startsMs: readonly number[]): Promise<MeasuredCount[]>
}

/** How often a value of a series fell into a bucket of its histogram, within one interval. */
export interface MeasuredCount {
  readonly startMs: number
  readonly series: string
  readonly step: number
  readonly count: number
}
