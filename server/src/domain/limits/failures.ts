/**
 * Failed passwords of one subject, and the pauses that follow. States: free (failures count towards a tolerance),
 * paused (until a time; each pause is twice as long as the one before).
 */
export interface FailureState {
  windowStartMs: number
  count: number
  pausedUntilMs: number
  pauses: number
}

/** An attempt counts as failed from its start, so that concurrent attempts cannot all pass. A success reverts it. */
export type FailureVerdict = { allowed: true; taken: TakenAttempt } | { allowed: false; retryAfterMs: number }

export interface TakenAttempt {
  /** The end of the pause that this attempt started, or 0. */
  readonly pausedUntilMs: number
  /** The end of the previous pause. */
  readonly earlierUntilMs: number
}

export const failureRules = {
  /** Failures of a site expire this long after the first of them. */
  windowMs: 900_000,
  /** Window for failures of an account or of a neighborhood, a network of 256 sites. */
  pressureWindowMs: 3_600_000,
  pauseMs: 60_000,
  pauseMaxMs: 3_600_000,
  /** The pause length resets after a day without a pause. */
  forgetMs: 86_400_000,
  /** A neighborhood has 256 sites; its tolerance is this multiple of one site's. */
  neighbourhoodFactor: 4,
} as const

export const freshFailureState: Readonly<FailureState> = { windowStartMs: 0, count: 0, pausedUntilMs: 0, pauses: 0 }

/** Changes the state. The Redis script in `redis-failures.ts` does the same. */
export function takeAttempt(state: FailureState, tolerance: number, nowMs: number): FailureVerdict {
  if (nowMs < state.pausedUntilMs) return { allowed: false, retryAfterMs: state.pausedUntilMs - nowMs }
  const earlierUntilMs = state.pausedUntilMs
  countFailure(state, failureRules.windowMs, nowMs)
  if (state.count < tolerance) return { allowed: true, taken: { pausedUntilMs: 0, earlierUntilMs } }
  if (nowMs - state.pausedUntilMs >= failureRules.forgetMs) state.pauses = 0
  state.pausedUntilMs = nowMs + Math.min(failureRules.pauseMs * 2 ** state.pauses, failureRules.pauseMaxMs)
  state.pauses += 1
  return { allowed: true, taken: { pausedUntilMs: state.pausedUntilMs, earlierUntilMs } }
}

/** Takes back an attempt that does not count: the password was correct, or was not checked. */
export function giveBackAttempt(state: FailureState, { pausedUntilMs, earlierUntilMs }: TakenAttempt): void {
  state.count = Math.max(0, state.count - 1)
  if (pausedUntilMs === 0 || state.pausedUntilMs !== pausedUntilMs) return
  state.pausedUntilMs = earlierUntilMs
  state.pauses -= 1
}

export function countFailure(state: FailureState, windowMs: number, nowMs: number): number {
  if (nowMs - state.windowStartMs >= windowMs) {
    state.windowStartMs = nowMs
    state.count = 0
  }
  state.count += 1
  return state.count
}

export function failuresWithin(state: FailureState, windowMs: number, nowMs: number): number {
  return nowMs - state.windowStartMs >= windowMs ? 0 : state.count
}
