const firstPauseMs = 2_000
const pauseMaxMs = 3_600_000

/** The pause after a failed attempt, for every email. It doubles with each earlier attempt, up to an hour. */
export function pauseAfter(earlierAttempts: number): number {
  return Math.min(pauseMaxMs, firstPauseMs * 2 ** Math.min(earlierAttempts, 30))
}
