import {
  countFailure,
  failureRules,
  type FailureState,
  failuresWithin,
  freshFailureState,
  giveBackAttempt,
  takeAttempt,
} from '#domain/limits/failures.ts'
import { useRecent } from '#lib/set-bounded.ts'
import type { Failures } from '#ports/shared-counts.ts'

/**
 * Failures counted in this process, used while Redis is unavailable. Beyond `maxSubjects`, the least recently seen are
 * evicted.
 */
export function createMemoryFailures({ maxSubjects = 100_000 }: { maxSubjects?: number } = {}): Failures {
  const states = new Map<string, FailureState>()
  const stateOf = (subject: string): FailureState =>
    useRecent(states, subject, () => ({ ...freshFailureState }), maxSubjects)
  const { pressureWindowMs } = failureRules
  return {
    take: async (subject, tolerance, nowMs) => takeAttempt(stateOf(subject), tolerance, nowMs),
    giveBack: async (subject, taken) => giveBackAttempt(stateOf(subject), taken),
    notePressure: async (subject, nowMs) => countFailure(stateOf(subject), pressureWindowMs, nowMs),
    readPressure: async (subject, nowMs) => failuresWithin(stateOf(subject), pressureWindowMs, nowMs),
  }
}
