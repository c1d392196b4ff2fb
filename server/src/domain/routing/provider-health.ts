/**
 * How one upstream is doing with one model, as this process sees it. A circuit is `closed` (used), `open` (not used
 * until a moment) or `probing` (one request may try it). Beside that an upstream may have asked to be left alone for a
 * while.
 */
export interface ProviderHealth {
  failuresInRow: number
  openUntilMs: number
  throttlesInRow: number
  throttledUntilMs: number
}

export interface HealthRules {
  /** So many failures in a row open the circuit. */
  readonly failures: number
  readonly openMs: number
}

export type HealthVerdict =
  /** `isProbe`: whether it is well again is not known yet, and others may wait to hear of it. */
  { usable: true; isProbe: boolean } | { usable: false; why: 'circuit_open' | 'throttled'; untilMs: number }

export function healthy(): ProviderHealth {
  return { failuresInRow: 0, openUntilMs: 0, throttlesInRow: 0, throttledUntilMs: 0 }
}

/** `half-open`: its time is over, and the next request finds out whether it is well again. */
export type CircuitState = 'closed' | 'half-open' | 'open'

export function circuitOf(health: ProviderHealth, rules: HealthRules, nowMs: number): CircuitState {
  if (health.failuresInRow < rules.failures) return 'closed'
  return nowMs < health.openUntilMs ? 'open' : 'half-open'
}

/** Whether a request may try it now. Letting one through an elapsed circuit keeps the others out until it reports. */
export function judgeHealth(health: ProviderHealth, rules: HealthRules, nowMs: number): HealthVerdict {
  if (nowMs < health.throttledUntilMs) return { usable: false, why: 'throttled', untilMs: health.throttledUntilMs }
  if (nowMs < health.openUntilMs) return { usable: false, why: 'circuit_open', untilMs: health.openUntilMs }
  const isProbe = health.failuresInRow >= rules.failures
  if (isProbe) health.openUntilMs = nowMs + rules.openMs
  return { usable: true, isProbe }
}

const lastResortShare = 0.1

/**
 * The same for a request that has no other provider left. It may try an open circuit after a tenth of its time already:
 * there is nothing to lose, and a provider that has recovered meanwhile is found at once. A pause that was asked for is
 * kept all the same.
 */
export function judgeLastResort(health: ProviderHealth, rules: HealthRules, nowMs: number): HealthVerdict {
  const verdict = judgeHealth(health, rules, nowMs)
  if (verdict.usable || verdict.why === 'throttled') return verdict
  const untilMs = health.openUntilMs - rules.openMs * (1 - lastResortShare)
  if (nowMs < untilMs) return { usable: false, why: 'circuit_open', untilMs }
  health.openUntilMs = nowMs + rules.openMs
  return { usable: true, isProbe: true }
}

/** A stream has begun: it takes requests again, but its failures are forgiven only by an answer that ends well. */
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
// What we guess must not outlast the storm by long; what an upstream asks for is its own to say.
const guessedMaxMs = 8_000
const askedMaxMs = 60_000

/**
 * It wants fewer requests. One that says for how long is left alone for that long; one that does not gets pauses that
 * double until it takes a request again. Gives the pause.
 */
export function noteThrottle(health: ProviderHealth, askedMs: number | null, nowMs: number): number {
  const guessedMs = Math.min(throttleStartMs * 2 ** health.throttlesInRow, guessedMaxMs)
  const pauseMs = askedMs === null ? guessedMs : Math.min(askedMs, askedMaxMs)
  health.throttlesInRow = Math.min(health.throttlesInRow + 1, 10)
  health.throttledUntilMs = Math.max(health.throttledUntilMs, nowMs + pauseMs)
  return pauseMs
}
