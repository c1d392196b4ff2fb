import { withDeadline } from '#lib/deadline.ts'
import type { Timers } from '#lib/timers.ts'

/**
 * A counter that survives an outage of its store. States: sound (the primary counts) and degraded (the fallback counts;
 * one call per second tries the primary, so that a dead store does not cost every request its timeout).
 */
interface WithFallback<Counter> {
  ask<Answer>(nowMs: number, question: (counter: Counter) => Promise<Answer>): Promise<Answer>
  readonly degraded: boolean
}

export interface FallbackOptions<Counter> {
  primary: Counter
  fallback: Counter
  timeoutMs?: number
  probeAfterMs?: number
  /** Called when the state changes from sound to degraded. */
  onDegraded?: (error: unknown) => void
  timers?: Timers
}

export function createWithFallback<Counter>(options: FallbackOptions<Counter>): WithFallback<Counter> {
  const { primary, fallback, timeoutMs = 50, probeAfterMs = 1_000, onDegraded, timers } = options
  const late = (): Error => new Error(`timed out after ${timeoutMs} ms`)
  let probeAtMs: number | null = null
  let probing = false

  async function ask<Answer>(nowMs: number, question: (counter: Counter) => Promise<Answer>): Promise<Answer> {
    const isProbe = probeAtMs !== null
    if (probeAtMs !== null && (probing || isEarly(nowMs, probeAtMs))) return question(fallback)
    if (isProbe) probing = true
    try {
      const answer = await withDeadline(question(primary), timeoutMs, late, timers)
      // A call from before the failure may still succeed, but its success says nothing about the time after the
      // failure.
      if (isProbe) probeAtMs = null
      return answer
    } catch (error) {
      if (probeAtMs === null) onDegraded?.(error)
      probeAtMs = nowMs + probeAfterMs
      return question(fallback)
    } finally {
      if (isProbe) probing = false
    }
  }

  /** The difference is also checked below, because a clock that goes back must not prolong the wait. */
  function isEarly(nowMs: number, probeMs: number): boolean {
    return nowMs < probeMs && nowMs >= probeMs - probeAfterMs
  }

  return {
    ask,
    get degraded() {
      return probeAtMs !== null
    },
  }
}
