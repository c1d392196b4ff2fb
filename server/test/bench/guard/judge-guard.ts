import type { Figure } from '../figure.ts'

/** Beyond this share of the CPU of before, a gateway has become slower. */
const lossMax = 0.15

/** Of fewer undisturbed windows nothing can be said. */
const windowsMin = 5

export interface GuardVerdict {
  readonly hasPassed: boolean
  readonly line: string
}

/**
 * Judges what this gateway takes beside the earlier one, by the windows of one run. It has failed where not even the better quarter of the
 * windows is within what is allowed: what lies in between is noise.
 */
export function judgeGuard(what: string, costs: Figure | null): GuardVerdict {
  if (costs === null) return { hasPassed: false, line: `${what}: no window could be compared` }
  const { median, low, high, windows } = costs
  const hasPassed = low <= 1 + lossMax || windows < windowsMin
  const seen = `${what}: ${median} times the CPU of before (${low} to ${high} in ${windows} windows)`
  if (windows < windowsMin) return { hasPassed, line: `${seen}; others disturbed too many to judge` }
  return { hasPassed, line: hasPassed ? seen : `${seen}, more than the ${1 + lossMax} that is allowed` }
}
