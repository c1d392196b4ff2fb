/**
 * The health of one upstream with one model, as this process sees it. A circuit is `closed` (used), `open` (not used
 * until a time) or `probing` (one request may try it). Separately, an upstream may have asked for a pause.
 */
export interface ProviderHealth {
  failuresInRow: number
  openUntilMs: number
  throttlesInRow: number
  throttledUntilMs: number
}

export interface HealthRules {
  /** Consecutive failures that open the circuit. */
  readonly failures: number
  readonly openMs: number
}

export type HealthVerdict =
  /**
   * `isProbe` means that it is not known yet whether the upstream has recovered, and other requests may wait for the
   * result.
   */
  { usable: true; isProbe: boolean } | { usable: false; why: 'circuit_open' | 'throttled'; untilMs: number }

export function healthy(): ProviderHealth {
  return { failuresInRow: 0, openUntilMs: 0, throttlesInRow: 0, throttledUntilMs: 0 }
}

/** `half-open`: the open time is over, and the next request tests the upstream. */
export type CircuitState = 'closed' | 'half-open' | 'open'

export function circuitOf(health: ProviderHealth, rules: HealthRules, nowMs: number): CircuitState {
  if (health.failuresInRow < rules.failures) return 'closed'
  return nowMs < health.openUntilMs ? 'open' : 'half-open'
}

/**
 * Whether a request may try the upstream now. When the open time of a circuit has elapsed, one request is admitted and
 * blocks the others until it reports its result.
 */
export function judgeHealth(health: ProviderHealth, rules: HealthRules, nowMs: number): HealthVerdict {
  if (nowMs < health.throttledUntilMs) return { usable: false, why: 'throttled', untilMs: health.throttledUntilMs }
  if (nowMs < health.openUntilMs) return { usable: false, why: 'circuit_open', untilMs: health.openUntilMs }
  const isProbe = health.failuresInRow >= rules.failures
  if (isProbe) health.openUntilMs = nowMs + rules.openMs
  return { usable: true, isProbe }
}

const lastResortShare = 0.1

/**
 * The same for a request without another provider. It may try an open circuit after a tenth of the open time, because
 * it has nothing to lose and finds a recovered provider early. A pause that the upstream asked for is still respected.
 */
export function judgeLastResort(health: ProviderHealth, rules: HealthRules, nowMs: number): HealthVerdict {
  const verdict = judgeHealth(health, rules, nowMs)
  if (verdict.usable || verdict.why === 'throttled') return verdict
  const untilMs = health.openUntilMs - rules.openMs * (1 - lastResortShare)
  if (nowMs < untilMs) return { usable: false, why: 'circuit_open', untilMs }
  health.openUntilMs = nowMs + rules.openMs
  return { usable: true, isProbe: true }
}

/** A stream has begun: the upstream takes requests again, but only a complete response clears its failures. */
export function noteOpened(health: ProviderHealth, rules: HealthRules): void {
  health.failuresInRow = Math.min(health.failuresInRow, rules.failures - 1)
  health.openUntilMs = 0
  health.throttlesInRow = 0
}

export function noteSuccess(health: ProviderHealth): void {
  health.failuresInRow = 0
  health.openUntilMs = 0
  health.throttlesInRow = 0
}

export function noteFailure(health: ProviderHealth, rules: HealthRules, nowMs: number): void {
  health.failuresInRow += 1
  if (health.failuresInRow >= rules.failures) health.openUntilMs = nowMs + rules.openMs
}

const throttleStartMs = 500
// A guessed pause must not last much longer than the overload; a pause that the upstream asked for may.
const guessedMaxMs = 8_000
const askedMaxMs = 60_000

/**
 * The upstream asked for fewer requests. If it states a duration, that applies; otherwise pauses double until it
 * accepts a request again. Returns the pause.
 */
export function noteThrottle(health: ProviderHealth, askedMs: number | null, nowMs: number): number {
  const guessedMs = Math.min(throttleStartMs * 2 ** health.throttlesInRow, guessedMaxMs)
  const pauseMs = askedMs === null ? guessedMs : Math.min(askedMs, askedMaxMs)
  health.throttlesInRow = Math.min(health.throttlesInRow + 1, 10)
  health.throttledUntilMs = Math.max(health.throttledUntilMs, nowMs + pauseMs)
  return pauseMs
}
