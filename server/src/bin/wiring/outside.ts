import { setTimeout } from 'node:timers/promises'
import { realTimers, type Timers } from '#lib/timers.ts'

/** What a process learns from outside of its configuration; tests have answers of their own. */
export interface Outside {
  /** Addresses of hosts that accounts name; null: DNS is asked. */
  resolveHost: ((host: string) => Promise<readonly string[]>) | null
  /** The clock that rules are judged by. Postgres and timers have their own. */
  nowMs: () => number
  /** The pause before a request asks an upstream again. */
  wait: (ms: number) => Promise<void>
  /** By which slow senders are judged. */
  timers: Timers
}

export const realOutside: Outside = {
  resolveHost: null,
  nowMs: Date.now,
  wait: (ms) => setTimeout(ms),
  timers: realTimers,
}
