import type { Rates } from '#ports/shared-counts.ts'
import { createWithFallback, type FallbackOptions } from './with-fallback.ts'

/** Counts rates, even during an outage of the store. */
export interface ResilientRates extends Rates {
  readonly degraded: boolean
}

type ResilientRatesOptions = FallbackOptions<Rates>

export function createResilientRates(options: ResilientRatesOptions): ResilientRates {
  const counters = createWithFallback(options)
  return {
    admit: (subject, limit, nowMs) => counters.ask(nowMs, (rates) => rates.admit(subject, limit, nowMs)),
    read: (subject, limit, nowMs) => counters.ask(nowMs, (rates) => rates.read(subject, limit, nowMs)),
    noteUnbilledCancel: (subject, keyId, nowMs) =>
      counters.ask(nowMs, (rates) => rates.noteUnbilledCancel(subject, keyId, nowMs)),
    get degraded() {
      return counters.degraded
    },
  }
}
