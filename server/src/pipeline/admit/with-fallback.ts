import { createDeadlineQueue } from '#lib/deadline-queue.ts'
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
  const deadlines = createDeadlineQueue(timeoutMs, timers)
  let probeAtMs: number | null = null
  let probing = false

  function ask<Answer>(nowMs: number, question: (counter: Counter) => Promise<Answer>): Promise<Answer> {
    const isProbe = probeAtMs !== null
    if (probeAtMs !== null && (probing || isEarly(nowMs, probeAtMs))) return question(fallback)
    if (isProbe) probing = true
    return new Promise((resolve) => {
      let isOver = false
      const fail = (error: unknown): void => {
        if (isOver) return
        isOver = true
        if (isProbe) probing = false
        if (probeAtMs === null) onDegraded?.(error)
        probeAtMs = nowMs + probeAfterMs
        resolve(question(fallback))
      }
      // If the event loop was late, the answer may already wait in a socket: it gets one turn to be read.
      const deadline = deadlines.begin(() => setImmediate(fail, new Error(`timed out after ${timeoutMs} ms`)))
      question(primary).then(
        (answer) => {
          deadline.cancel()
          if (isOver) return
          isOver = true
          if (isProbe) probing = false
          // A call from before the failure may still succeed, but its success says nothing about the time after the
          // failure.
          if (isProbe) probeAtMs = null
          resolve(answer)
        },
        (error: unknown) => {
          deadline.cancel()
          fail(error)
        },
      )
    })
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
