/**
 * How one upstream is doing, as this process sees it. A circuit is `closed` (used), `open` (isolated until a moment) or
 * `probing` (one request may try it). Beside that an upstream may have asked to be left alone for a while.
 */
export interface ProviderHealth {
  failuresInRow: number
  openUntilMs: number
  throttledUntilMs: number
}

export interface HealthRules {
  /** So many failures in a row open the circuit. */
  readonly failures: number
  readonly openMs: number
}

export type HealthVerdict = { usable: true } | { usable: false; why: 'isolated' | 'throttled'; untilMs: number }

export function healthy(): ProviderHealth {
  return { failuresInRow: 0, openUntilMs: 0, throttledUntilMs: 0 }
}

/** Whether a request may try it now. Letting one through an elapsed circuit keeps the others out until it reports. */
export function judgeHealth(health: ProviderHealth, rules: HealthRules, nowMs: number): HealthVerdict {
  if (nowMs < health.throttledUntilMs) return { usable: false, why: 'throttled', untilMs: health.throttledUntilMs }
  if (nowMs < health.openUntilMs) return { usable: false, why: 'isolated', untilMs: health.openUntilMs }
  if (health.failuresInRow >= rules.failures) health.openUntilMs = nowMs + rules.openMs
  return { usable: true }
}

export function noteSuccess(health: ProviderHealth): void {
  health.failuresInRow = 0
  health.openUntilMs = 0
}

export function noteFailure(health: ProviderHealth, rules: HealthRules, nowMs: number): void {
  health.failuresInRow += 1
  if (health.failuresInRow >= rules.failures) health.openUntilMs = nowMs + rules.openMs
}

const throttleMaxMs = 60_000

export function noteThrottle(health: ProviderHealth, forMs: number, nowMs: number): void {
  health.throttledUntilMs = Math.max(health.throttledUntilMs, nowMs + Math.min(forMs, throttleMaxMs))
}
