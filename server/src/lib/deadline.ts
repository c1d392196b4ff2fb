/**
 * Rejects with `late()` when the promise has not settled in time. The promise itself goes on. When the event loop itself was
 * late, the answer may be waiting in a socket already: it gets one turn to be read before the deadline counts.
 */
export function withDeadline<T>(promise: Promise<T>, timeoutMs: number, late: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => setImmediate(() => reject(late())), timeoutMs)
    promise.then(
      (value) => {
        clearTimeout(timer)
        resolve(value)
      },
      (error: unknown) => {
        clearTimeout(timer)
        reject(error)
      },
    )
  })
}
