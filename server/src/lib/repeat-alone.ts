/** Runs something again and again, never twice at once: a turn that finds the last one still running is left out. */
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
