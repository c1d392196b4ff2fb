import type { Caller } from '../types.ts'

/**
 * Sends a comment to every stream that has been silent for too long, from the request's acceptance on. One timer serves
 * all streams of the process. A comment is the first byte of an answer, so it also ends the time for failing over.
 */
export interface KeepAlives {
  watch(caller: Caller, start: () => void): void
  /** Streams that are looked after. */
  readonly watched: number
  stop(): void
}

export function createKeepAlives(options: { everyMs: number; comment: string; nowMs: () => number }): KeepAlives {
  const watched = new Map<Caller, () => void>()
  const tickMs = Math.max(50, Math.min(1_000, options.everyMs / 4))
  const timer = setInterval(() => {
    const silentSince = options.nowMs() - options.everyMs + tickMs
    for (const [caller, start] of watched) {
      // A finished answer is never quiet again; keeping it here would keep its whole request in memory.
      if (caller.gone || caller.quietSinceMs === Number.POSITIVE_INFINITY) {
        watched.delete(caller)
      } else if (caller.quietSinceMs <= silentSince) {
        if (!caller.streaming) start()
        caller.write(options.comment)
      }
    }
  }, tickMs)
  timer.unref()
  return {
    watch: (caller, start) => {
      watched.set(caller, start)
    },
    get watched() {
      return watched.size
    },
    stop: () => clearInterval(timer),
  }
}
