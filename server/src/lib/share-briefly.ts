/**
 * Shares one result between all calls within a time, also while it is being computed. A failure is shared only by the
 * calls that waited for it, so the next one tries again.
 */
export function shareBriefly<Result>(
  compute: () => Promise<Result>,
  { forMs, nowMs }: { readonly forMs: number; readonly nowMs: () => number },
): () => Promise<Result> {
  let shared: { readonly sinceMs: number; readonly result: Promise<Result> } | null = null
  return () => {
    if (shared !== null && nowMs() - shared.sinceMs < forMs) return shared.result
    const made = { sinceMs: nowMs(), result: compute() }
    made.result.catch(() => {
      if (shared === made) shared = null
    })
    shared = made
    return made.result
  }
}
