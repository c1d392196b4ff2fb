/** Limits concurrent work. The rest waits in a queue, and work that finds the queue full is rejected. */
interface Turnstile {
  run<Result>(work: () => Promise<Result>): Promise<Result>
  /** Running or waiting. */
  readonly depth: number
  /** Resolves once nothing is running or waiting. */
  idle(): Promise<void>
}

export function createTurnstile(options: { atOnceMax: number; waitingMax: number; refusal: () => Error }): Turnstile {
  const waiting: (() => void)[] = []
  const idleWaiters: (() => void)[] = []
  let running = 0

  async function enter(): Promise<void> {
    if (running < options.atOnceMax) {
      running += 1
      return
    }
    if (waiting.length >= options.waitingMax) throw options.refusal()
    await new Promise<void>((resolve) => waiting.push(resolve))
  }

  // A freed slot goes directly to the next in the queue, so no other work can take it in between.
  function leave(): void {
    const next = waiting.shift()
    if (next !== undefined) return next()
    running -= 1
    if (running === 0) for (const wake of idleWaiters.splice(0)) wake()
  }

  return {
    async run(work) {
      await enter()
      try {
        return await work()
      } finally {
        leave()
      }
    },
    get depth() {
      return running + waiting.length
    },
    idle: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => idleWaiters.push(resolve))),
  }
}
