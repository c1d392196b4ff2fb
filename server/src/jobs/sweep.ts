/** Clears away what time has run out for, again and again, until stopped. Any number of workers may do so at once. */
export interface Sweeper {
  stop(): Promise<void>
}

const batchMax = 500

export function startSweeper(options: {
  sweep: (atMost: number) => Promise<number>
  everyMs: number
  onSwept: (count: number) => void
  onError: (error: unknown) => void
}): Sweeper {
  let stopped = false
  let running = Promise.resolve()
  const timer = setInterval(() => {
    running = running.then(sweepAll)
  }, options.everyMs)

  // A large backlog is worked off in batches, each a transaction of its own, so that no lock is held for long.
  async function sweepAll(): Promise<void> {
    try {
      for (;;) {
        const swept = stopped ? 0 : await options.sweep(batchMax)
        if (swept > 0) options.onSwept(swept)
        if (swept < batchMax) return
      }
    } catch (error) {
      options.onError(error)
    }
  }

  return {
    stop: async () => {
      stopped = true
      clearInterval(timer)
      await running
    },
  }
}
