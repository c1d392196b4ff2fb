/** Clock and timers, which a test can replace. */
export interface Timers {
  /** Monotonic, and unrelated to the time of day. */
  nowMs(): number
  /** Runs something once, after a delay. */
  after(ms: number, run: () => void): Timer
}

export interface Timer {
  cancel(): void
  /** Lets the process exit without waiting for the timer. */
  unref(): void
}

export const realTimers: Timers = {
  nowMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return { cancel: () => clearTimeout(timer), unref: () => void timer.unref() }
  },
}
