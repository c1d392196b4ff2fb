/** Rejects with `late()` when the promise has not settled in time. The promise itself goes on. */
export function withDeadline<T>(promise: Promise<T>, timeoutMs: number, late: () => Error): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), timeoutMs)
    promise.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
