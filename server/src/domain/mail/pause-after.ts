const firstPauseMs = 2_000
const pauseMaxMs = 3_600_000

/**
 * The pause after a failed attempt, which doubles with each attempt before it, up to an hour. The same for every email.
 */
export function pauseAfter(earlierAttempts: number): number {
  return Math.min(pauseMaxMs, firstPauseMs * 2 ** Math.min(earlierAttempts, 30))
}
