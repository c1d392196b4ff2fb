import { vi } from 'vitest'

/** A clock that stands still until it is moved: for the gateway in this process, not for its engines. */
export interface TestClock {
  /** To a moment such as `2030-01-07T12:00:00Z`. */
  set(moment: string): void
  forward(ms: number): void
  restore(): void
}

/** Must be started before the gateway, which takes its clock when it is wired. */
export function stopClock(moment: string): TestClock {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(moment) })
  return {
    set: (next) => {
      vi.setSystemTime(new Date(next))
    },
    forward: (ms) => {
      vi.setSystemTime(Date.now() + ms)
    },
    restore: () => {
      vi.useRealTimers()
    },
  }
}
