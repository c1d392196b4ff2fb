/** A recurring fault: reported when it begins, then once a minute with a count, and when it is over. */
export interface FaultWatch {
  failed(error: unknown): void
  succeeded(): void
  /** Null while there is no failure. */
  readonly failing: Failing | null
}

export interface Failing {
  readonly sinceMs: number
  /** Consecutive failures. */
  readonly times: number
  readonly error: unknown
}

export type FaultNotice = Failing & { readonly kind: 'began' | 'goes-on' | 'over' }

export interface FaultWatchOptions {
  readonly tell: (notice: FaultNotice) => void
  readonly nowMs: () => number
  readonly everyMs?: number
  /** For a fault without an end event: it is over after this time without another failure. */
  readonly overAfterMs?: number
}

const minuteMs = 60_000

export function watchFault({ tell, nowMs, everyMs = minuteMs, overAfterMs }: FaultWatchOptions): FaultWatch {
  let failing: Failing | null = null
  let toldAtMs = 0
  let failedAtMs = 0

  function isStale(atMs: number): boolean {
    return overAfterMs !== undefined && atMs - failedAtMs >= overAfterMs
  }

  return {
    get failing() {
      return failing
    },
    failed(error) {
      const atMs = nowMs()
      const isNew = failing === null || isStale(atMs)
      failing =
        failing === null || isNew
          ? { sinceMs: atMs, times: 1, error }
          : { sinceMs: failing.sinceMs, times: failing.times + 1, error }
      failedAtMs = atMs
      // If the clock goes back, the fault must still be reported.
      if (!isNew && Math.abs(atMs - toldAtMs) < everyMs) return
      toldAtMs = atMs
      tell({ ...failing, kind: isNew ? 'began' : 'goes-on' })
    },
    succeeded() {
      if (failing === null) return
      const over = failing
      failing = null
      tell({ ...over, kind: 'over' })
    },
  }
}
