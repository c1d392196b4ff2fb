import type { Figure } from '../figure.ts'

/** Above this relative increase in CPU, the gateway has become slower. */
const lossMax = 0.15

/** The random increase allowed for the best quarter of the windows. */
const noiseMax = 0.07

/** Fewer undisturbed windows allow no verdict. */
const windowsMin = 5

interface GuardVerdict {
  readonly hasPassed: boolean
  readonly line: string
}

/**
 * Compares this gateway with the earlier one by the windows of one run. It fails if the median exceeds the limit and
 * the best quarter of the windows exceeds the noise.
 */
export function judgeGuard(what: string, costs: Figure | null): GuardVerdict {
  if (costs === null) return { hasPassed: false, line: `${what}: no window could be compared` }
  const { median, low, high, windows } = costs
  const hasPassed = median <= 1 + lossMax || low <= 1 + noiseMax || windows < windowsMin
  const seen = `${what}: ${median} times the CPU of before (${low} to ${high} in ${windows} windows)`
  if (windows < windowsMin) return { hasPassed, line: `${seen}; others disturbed too many to judge` }
  return { hasPassed, line: hasPassed ? seen : `${seen}, more than the ${1 + lossMax} that is allowed` }
}
