/** A clock that stands still until it is moved. Gateways use it; Postgres and timers have their own. */
export interface TestClock {
  readonly nowMs: () => number
  /** Sets it to a moment such as `2030-01-07T12:00:00Z`. */
  set(moment: string): void
  forward(ms: number): void
}

export function createTestClock(moment: string): TestClock {
  let nowMs = Date.parse(moment)
  return {
    nowMs: () => nowMs,
    set: (next) => {
      nowMs = Date.parse(next)
    },
    forward: (ms) => {
      nowMs += ms
    },
  }
}
