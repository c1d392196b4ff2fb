import { type Repeated, repeatUntilStopped } from '#lib/repeat-until-stopped.ts'
import type { UsageFold } from '#ports/fold.ts'

/** Folds what has been settled, again and again, until stopped. */
export function startFolder(options: {
  fold: UsageFold
  everyMs: number
  batchMax: number
  onFolded: (count: number) => void
  onError: (error: unknown) => void
}): Repeated {
  const { fold, everyMs, batchMax, onFolded, onError } = options
  return repeatUntilStopped({
    async round() {
      const { folded, isFull } = await fold.fold(batchMax)
      if (folded > 0) onFolded(folded)
      return isFull
    },
    pauseMs: everyMs,
    onError,
  })
}
