/**
 * Retries may be a tenth of requests, and ten at once: enough for brief failures, too few to double the load on an
 * overloaded upstream.
 */
export interface RetryBudget {
  /** Records one more request. */
  earn(): void
  /** Takes one retry if one is available. */
  spend(): boolean
}

const earnedPerRequest = 0.1
const savedMax = 10

export function createRetryBudget(): RetryBudget {
  let saved = savedMax
  return {
    earn: () => {
      saved = Math.min(savedMax, saved + earnedPerRequest)
    },
    spend: () => {
      if (saved < 1) return false
      saved -= 1
      return true
    },
  }
}
