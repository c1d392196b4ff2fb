import type { FailureVerdict, TakenAttempt } from '#domain/limits/failures.ts'
import type { FreeAsk, FreeStanding } from '#domain/limits/free-quota.ts'
import type { RateClass, RateVerdict } from '#domain/limits/rate.ts'
import type { UnbilledSums } from '#domain/limits/unbilled.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'

/** Counts requests per client. Everything in it may be lost without losing money. */
export interface Rates {
  admit(subject: RateSubject, limit: number, nowMs: number): Promise<RateVerdict>
  /** Reads the state of the window without counting a request. */
  read(subject: RateSubject, limit: number, nowMs: number): Promise<RateVerdict>
  /** Counts an answer that the client left before it could be billed; too many of them block like too many requests. */
  noteUnbilledCancel(subject: RateSubject, keyId: string, nowMs: number): Promise<void>
}

export interface RateSubject {
  /** The paying wallet tags the counter, so that a call stays on one shard. */
  walletId: string
  /** The person, or the key where it belongs to no person. */
  clientId: string
  class: RateClass
}

/** Counts what clients use of free models. It may be lost without losing money. */
export interface FreeQuotas {
  /** How each quota stands, in the order of asking; of the first one the request is counted at once if `takesFirst`. */
  ask(subject: FreeSubject, asks: readonly FreeAsk[], options: FreeAskOptions): Promise<readonly FreeStanding[]>
}

/** Whose quotas they are. The owner tags the counters, so that a call stays on one shard. */
export interface FreeSubject {
  readonly ownerId: string
  readonly clientId: string
}

export interface FreeAskOptions {
  readonly takesFirst: boolean
  readonly nowMs: number
}

/**
 * What is left unpaid, paid, under way and at risk, by subject. Subjects are hashes. All of it may be lost without
 * losing money.
 */
export interface Unbilled {
  /** Adds to the sums and gives what they are then. */
  add(subject: string, change: UnbilledChange, nowMs: number): Promise<UnbilledSums>
}

export interface UnbilledChange {
  readonly left?: NanoUsd
  readonly borne?: NanoUsd
  readonly paid?: NanoUsd
  /** Below zero for a request that has ended. */
  readonly underWay?: NanoUsd
  /** Below zero for a risk that has passed. */
  readonly atRisk?: NanoUsd
  /**
   * When the request that is under way began; its estimate and risk are forgotten with that hour and the next, whatever
   * became of it.
   */
  readonly sinceMs?: number
}

/**
 * Counts wrong passwords for all processes. Subjects are hashes. Everything in it may be lost without opening an
 * account.
 */
export interface Failures {
  /** Counts an attempt as failed before its password is looked at; not while a pause lasts. */
  take(subject: string, tolerance: number, nowMs: number): Promise<FailureVerdict>
  giveBack(subject: string, taken: TakenAttempt): Promise<void>
  /**
   * Counts a failure towards the pressure on a subject, which by itself stops no attempt. Answers those of the window.
   */
  notePressure(subject: string, nowMs: number): Promise<number>
  readPressure(subject: string, nowMs: number): Promise<number>
}

/** What all processes have measured together. Losing it costs nothing but a few minutes of knowledge. */
export interface SharedMeasurements {
  add(counts: readonly MeasuredCount[]): Promise<void>
  /** Everything that was counted in the stretches that begin at these moments. */
  read(startsMs: readonly number[]): Promise<MeasuredCount[]>
}

/** How often a figure of a series fell into a step of its histogram, within one stretch of time. */
export interface MeasuredCount {
  readonly startMs: number
  readonly series: string
  readonly step: number
  readonly count: number
}
