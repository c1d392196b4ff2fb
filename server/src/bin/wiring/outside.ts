import { setTimeout } from 'node:timers/promises'
import { resolveHost } from '#net/egress-guard.ts'
import type { ResolveHost } from '#ports/egress.ts'

/** What a process learns from outside of its configuration; tests have answers of their own. */
export interface Outside {
  resolveHost: ResolveHost
  /** The clock that rules are judged by. Postgres and timers have their own. */
  nowMs: () => number
  /** The pause before a request asks an upstream again. */
  wait: (ms: number) => Promise<void>
}

export const realOutside: Outside = { resolveHost, nowMs: Date.now, wait: (ms) => setTimeout(ms) }
