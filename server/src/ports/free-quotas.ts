import type { FreeAsk, FreeStanding } from '#domain/limits/free-quota.ts'

/** Counts what callers use of free models. It may be lost without losing money. */
export interface FreeQuotas {
  /** How each quota stands, in the order of asking; of the first one the request is counted at once if `takesFirst`. */
  ask(subject: FreeSubject, asks: readonly FreeAsk[], options: FreeAskOptions): Promise<readonly FreeStanding[]>
}

/** Whose quotas they are. The owner tags the counters, so that a call stays on one shard. */
export interface FreeSubject {
  readonly ownerId: string
  readonly callerId: string
}

export interface FreeAskOptions {
  readonly takesFirst: boolean
  readonly nowMs: number
}
