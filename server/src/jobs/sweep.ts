import type { Part } from './part.ts'

const batchMax = 500

/**
 * Clears away what time has run out for. Any number of workers may do so at once. A large backlog is worked off in batches, each a
 * transaction of its own, so that no lock is held for long.
 */
export function sweepInBatches(
  sweep: (atMost: number) => Promise<number>,
  onSwept: (count: number) => void,
): Part['run'] {
  return async () => {
    const swept = await sweep(batchMax)
    if (swept > 0) onSwept(swept)
    return swept >= batchMax
  }
}
