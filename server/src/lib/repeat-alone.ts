/** Runs something repeatedly, never twice at once: a run is skipped while the last one is still in progress. */
export function repeatAlone(options: {
  readonly everyMs: number
  readonly run: () => Promise<unknown>
  readonly onError: (error: unknown) => void
}): { stop(): void } {
  let isBusy = false
  const timer = setInterval(() => {
    if (isBusy) return
    isBusy = true
    options
      .run()
      .catch(options.onError)
      .finally(() => {
        isBusy = false
      })
  }, options.everyMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
