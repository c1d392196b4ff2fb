import type { Figure } from '../figure.ts'

/** Beyond this share of the CPU of before, a gateway has become slower. */
const lossMax = 0.15

/** What the better quarter of the windows may cost more by chance. */
const noiseMax = 0.07

/** Of fewer undisturbed windows nothing can be said. */
const windowsMin = 5

interface GuardVerdict {
  readonly hasPassed: boolean
  readonly line: string
}

/**
 * Judges what this gateway takes beside the earlier one, by the windows of one run. It has failed where the median is
 * beyond what is allowed and the better quarter of the windows is beyond noise.
 */
export function judgeGuard(what: string, costs: Figure | null): GuardVerdict {
  if (costs === null) return { hasPassed: false, line: `${what}: no window could be compared` }
  const { median, low, high, windows } = costs
  const hasPassed = median <= 1 + lossMax || low <= 1 + noiseMax || windows < windowsMin
  const seen = `${what}: ${median} times the CPU of before (${low} to ${high} in ${windows} windows)`
  if (windows < windowsMin) return { hasPassed, line: `${seen}; others disturbed too many to judge` }
  return { hasPassed, line: hasPassed ? seen : `${seen}, more than the ${1 + lossMax} that is allowed` }
}
