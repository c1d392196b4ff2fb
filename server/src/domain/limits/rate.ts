/**
 * Fixed windows of 60 seconds per caller and paying wallet, and the block that follows abuse.
 * States: free (counting), over (this window is full), blocked (until a moment; its length doubles each time).
 */
export type RateClass = 'inference' | 'account'

export type RateVerdict =
  | { allowed: true; limit: number; remaining: number; resetAtMs: number }
  | { allowed: false; reason: 'window' | 'penalty'; limit: number; resetAtMs: number; retryAfterMs: number }

export const rateRules = {
  windowMs: 60_000,
  /** Below ten dollars of credit, and from there on. */
  inferenceLow: 20,
  inferenceFunded: 200,
  fundedFromNano: 10_000_000_000n,
  account: 600,
  /** So many windows over the limit, one after the other, start a block. */
  penaltyAfterWindows: 5,
  penaltyMs: 60_000,
  penaltyMaxMs: 900_000,
  cancelsMax: 20,
  cancelsWithinMs: 600_000,
  /** A block's length is forgotten after a day without another. */
  forgetMs: 86_400_000,
} as const

export interface RateState {
  windowStartMs: number
  count: number
  /** How many windows in a row went over, and which was the last. */
  overStreak: number
  lastOverStartMs: number
  blockedUntilMs: number
  blocks: number
}

export const freshRateState: Readonly<RateState> = {
  windowStartMs: 0,
  count: 0,
  overStreak: 0,
  lastOverStartMs: -1,
  blockedUntilMs: 0,
  blocks: 0,
}

/** Counts one request; changes the state. The Redis script `admit.lua.ts` does the same. */
export function judgeRate(state: RateState, limit: number, nowMs: number): RateVerdict {
  const { windowMs } = rateRules
  const start = nowMs - (nowMs % windowMs)
  const resetAtMs = start + windowMs
  if (nowMs < state.blockedUntilMs) {
    return { allowed: false, reason: 'penalty', limit, resetAtMs, retryAfterMs: state.blockedUntilMs - nowMs }
  }
  if (state.windowStartMs !== start) {
    state.windowStartMs = start
    state.count = 0
  }
  state.count += 1
  if (state.count <= limit) return { allowed: true, limit, remaining: limit - state.count, resetAtMs }
  if (state.lastOverStartMs !== start) {
    state.overStreak = state.lastOverStartMs === start - windowMs ? state.overStreak + 1 : 1
    state.lastOverStartMs = start
    if (state.overStreak >= rateRules.penaltyAfterWindows) block(state, nowMs)
  }
  if (nowMs < state.blockedUntilMs) {
    return { allowed: false, reason: 'penalty', limit, resetAtMs, retryAfterMs: state.blockedUntilMs - nowMs }
  }
  return { allowed: false, reason: 'window', limit, resetAtMs, retryAfterMs: resetAtMs - nowMs }
}

/** Starts a block, each twice as long as the one before. */
export function block(state: RateState, nowMs: number): void {
  state.blockedUntilMs = nowMs + Math.min(rateRules.penaltyMs * 2 ** state.blocks, rateRules.penaltyMaxMs)
  state.blocks += 1
  state.overStreak = 0
}
