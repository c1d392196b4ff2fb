/**
 * Fixed windows of 60 seconds per client and paying wallet, and a block after abuse. States: free (counting), over
 * (this window is full), blocked (until a time; its length doubles each time).
 */
export type RateClass = 'inference' | 'account'

export type RateVerdict =
  | { allowed: true; limit: number; remaining: number; resetAtMs: number }
  | { allowed: false; reason: 'window' | 'penalty'; limit: number; resetAtMs: number; retryAfterMs: number }

export const rateRules = {
  windowMs: 60_000,
  /** Below ten dollars of credit, and above. */
  inferenceLow: 20,
  inferenceFunded: 200,
  fundedFromNano: 10_000_000_000n,
  account: 600,
  /** This many consecutive windows over the limit start a block. */
  penaltyAfterWindows: 5,
  penaltyMs: 60_000,
  penaltyMaxMs: 900_000,
  cancelsMax: 20,
  cancelsWithinMs: 600_000,
  /** The block length resets after a day without a block. */
  forgetMs: 86_400_000,
} as const

export interface RateState {
  windowStartMs: number
  count: number
  /** The number of consecutive windows over the limit, and the last of them. */
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

/** Counts one request; changes the state. The Redis script in `redis-rates.ts` does the same. */
export function judgeRate(state: RateState, limit: number, nowMs: number): RateVerdict {
  if (nowMs < state.blockedUntilMs) return penalty(state, limit, nowMs)
  const start = windowStartFor(state, nowMs)
  const resetAtMs = start + rateRules.windowMs
  if (state.windowStartMs !== start) {
    state.windowStartMs = start
    state.count = 0
  }
  state.count += 1
  if (state.count <= limit) return { allowed: true, limit, remaining: limit - state.count, resetAtMs }
  if (state.lastOverStartMs !== start) {
    state.overStreak = state.lastOverStartMs === start - rateRules.windowMs ? state.overStreak + 1 : 1
    state.lastOverStartMs = start
    if (state.overStreak >= rateRules.penaltyAfterWindows) {
      block(state, nowMs)
      return penalty(state, limit, nowMs)
    }
  }
  return { allowed: false, reason: 'window', limit, resetAtMs, retryAfterMs: resetAtMs - nowMs }
}

/** Reads the state of the window without counting a request. The Redis script in `redis-rates.ts` does the same. */
export function readRate(state: Readonly<RateState>, limit: number, nowMs: number): RateVerdict {
  if (nowMs < state.blockedUntilMs) return penalty(state, limit, nowMs)
  const start = windowStartFor(state, nowMs)
  const resetAtMs = start + rateRules.windowMs
  const remaining = Math.max(0, limit - (state.windowStartMs === start ? state.count : 0))
  return { allowed: true, limit, remaining, resetAtMs }
}

/** The requests of a class that a wallet with this balance may send per window. */
export function rateLimitOf(rateClass: RateClass, balanceNano: bigint, limits: RateLimits = rateRules): number {
  if (rateClass === 'account') return limits.account
  return balanceNano < rateRules.fundedFromNano ? limits.inferenceLow : limits.inferenceFunded
}

/** Requests per window; an operator may override the defaults. */
export interface RateLimits {
  readonly inferenceLow: number
  readonly inferenceFunded: number
  readonly account: number
}

/** Starts a block, twice as long as the previous one. Does nothing if the client is already blocked. */
export function block(state: RateState, nowMs: number): void {
  // Many running requests may be cancelled together; they count as one offense, not a block each.
  if (nowMs < state.blockedUntilMs) return
  if (nowMs - state.blockedUntilMs >= rateRules.forgetMs) state.blocks = 0
  state.blockedUntilMs = nowMs + Math.min(rateRules.penaltyMs * 2 ** state.blocks, rateRules.penaltyMaxMs)
  state.blocks += 1
  state.overStreak = 0
}

/**
 * Adds an unbilled cancellation to a key's recent ones, oldest first, and returns whether they trigger a block. They
 * are then cleared, so that the next block needs as many again.
 */
export function noteCancel(cancelsMs: number[], nowMs: number): boolean {
  cancelsMs.push(nowMs)
  if (cancelsMs.length < rateRules.cancelsMax) return false
  const oldestMs = cancelsMs.shift() ?? nowMs
  if (nowMs - oldestMs >= rateRules.cancelsWithinMs) return false
  cancelsMs.length = 0
  return true
}

/** The state may be one window ahead, from a process whose clock is ahead; going back would lose its count. */
function windowStartFor(state: Readonly<RateState>, nowMs: number): number {
  const start = nowMs - (nowMs % rateRules.windowMs)
  return state.windowStartMs === start + rateRules.windowMs ? state.windowStartMs : start
}

function penalty(state: Readonly<RateState>, limit: number, nowMs: number): RateVerdict {
  const retryAfterMs = state.blockedUntilMs - nowMs
  return { allowed: false, reason: 'penalty', limit, resetAtMs: state.blockedUntilMs, retryAfterMs }
}
