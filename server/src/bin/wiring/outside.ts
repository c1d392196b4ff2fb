import { setTimeout } from 'node:timers/promises'
import { realTimers, type Timers } from '#lib/timers.ts'

/** External inputs of a process besides its configuration; tests replace them. */
export interface Outside {
  /** Resolves hosts that accounts name. Null means DNS. */
  resolveHost: ((host: string) => Promise<readonly string[]>) | null
  /** The clock for rules. Postgres and timers have their own. */
  nowMs: () => number
  /** The delay before a request retries an upstream, or calls a second one. It ends early with the signal. */
  wait: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Timers for detecting slow senders. */
  timers: Timers
}

export const realOutside: Outside = {
  resolveHost: null,
  nowMs: Date.now,
  // A timer may fire a millisecond before its time by the clock.
  wait: (ms, signal) => setTimeout(ms + 1, undefined, { signal }),
  timers: realTimers,
}
