import type { RateClass, RateVerdict } from '#domain/limits/rate.ts'

/** Counts requests per caller. Everything in it may be lost without losing money. */
export interface Rates {
  admit(subject: RateSubject, limit: number, nowMs: number): Promise<RateVerdict>
  /** Counts an answer that the caller left before it could be billed; too many of them block like too many requests. */
  noteUnbilledCancel(subject: RateSubject, keyId: string, nowMs: number): Promise<void>
}

export interface RateSubject {
  /** The paying wallet tags the counter, so that a call stays on one shard. */
  walletId: string
  /** The person, or the key where nobody in particular calls. */
  callerId: string
  class: RateClass
}
