import type { UsageFold } from '#ports/usage.ts'
import type { Part } from './part.ts'

/** Adds what has been settled to the sums of usage. */
export function rollupPart(options: {
  fold: UsageFold
  everyMs: number
  batchMax: number
  onFolded: (count: number) => void
}): Part {
  const { fold, everyMs, batchMax, onFolded } = options
  return {
    name: 'rollup',
    pauseMs: everyMs,
    round: async () => {
      const { folded, isFull } = await fold.fold(batchMax)
      if (folded > 0) onFolded(folded)
      return isFull
    },
  }
}
