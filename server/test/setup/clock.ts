/** A clock that stands still until it is moved. It is given to gateways; Postgres and timers have their own. */
export interface TestClock {
  readonly nowMs: () => number
  /** To a moment such as `2030-01-07T12:00:00Z`. */
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
