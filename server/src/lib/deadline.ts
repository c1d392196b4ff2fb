import { realTimers, type Timers } from './timers.ts'

/**
 * Rejects with `late()` if the promise has not settled in time. The promise itself continues. If the event loop was
 * late, the response may already wait in a socket: it gets one turn to be read before the deadline counts.
 */
export function withDeadline<T>(
  promise: Promise<T>,
  timeoutMs: number,
  late: () => Error,
  timers: Timers = realTimers,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = timers.after(timeoutMs, () => setImmediate(() => reject(late())))
    promise.then(
      (value) => {
        timer.cancel()
        resolve(value)
      },
      (error: unknown) => {
        timer.cancel()
        reject(error)
      },
    )
  })
}
