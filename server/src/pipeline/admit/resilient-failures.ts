import type { Failures } from '#ports/shared-counts.ts'
import { createWithFallback, type FallbackOptions } from './with-fallback.ts'

/** Counts wrong passwords, even during an outage of the store. */
export function createResilientFailures(options: FallbackOptions<Failures> & { nowMs: () => number }): Failures {
  const counters = createWithFallback(options)
  return {
    take: (subject, tolerance, nowMs) => counters.ask(nowMs, (failures) => failures.take(subject, tolerance, nowMs)),
    giveBack: (subject, taken) => counters.ask(options.nowMs(), (failures) => failures.giveBack(subject, taken)),
    notePressure: (subject, nowMs) => counters.ask(nowMs, (failures) => failures.notePressure(subject, nowMs)),
    readPressure: (subject, nowMs) => counters.ask(nowMs, (failures) => failures.readPressure(subject, nowMs)),
  }
}
