/**
 * Reads figures for a scrape at most once per interval. If a read fails, the last figures stay, so that other figures
 * are still shown.
 */
export function keepFigures<Figure>(options: {
  readonly read: () => Promise<readonly Figure[]>
  readonly everyMs: number
  readonly nowMs: () => number
  readonly onError: (error: unknown) => void
}): () => Promise<readonly Figure[]> {
  let kept: Promise<readonly Figure[]> = Promise.resolve([])
  let readAtMs = Number.NEGATIVE_INFINITY
  return () => {
    if (options.nowMs() - readAtMs < options.everyMs) return kept
    readAtMs = options.nowMs()
    const last = kept
    kept = options.read().catch((error: unknown) => {
      options.onError(error)
      return last
    })
    return kept
  }
}
