/** Elapsed time as an argument, so that a test decides when it has passed. */
export interface Timers {
  /** Never goes back, and has nothing to do with the time of day. */
  nowMs(): number
  /** Runs something once, after a while. */
  after(ms: number, run: () => void): Timer
}

export interface Timer {
  cancel(): void
  /** A process that has nothing else to do need not wait for it. */
  unref(): void
}

export const realTimers: Timers = {
  nowMs: () => performance.now(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return { cancel: () => clearTimeout(timer), unref: () => void timer.unref() }
  },
}
