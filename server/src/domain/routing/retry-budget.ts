/**
 * Retries may be a tenth of requests, and ten at once: enough for hiccups, too few to double the load on an upstream
 * that is already drowning.
 */
export interface RetryBudget {
  /** One more request has arrived. */
  earn(): void
  /** Takes one retry if there is one. */
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
