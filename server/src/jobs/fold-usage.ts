import { setTimeout } from 'node:timers/promises'
import type { UsageFold } from '#ports/fold.ts'

/** Folds what has been settled, again and again, until stopped. */
export interface Folder {
  stop(): Promise<void>
}

export function startFolder(options: {
  fold: UsageFold
  everyMs: number
  batchMax: number
  onFolded: (count: number) => void
  onError: (error: unknown) => void
}): Folder {
  const stopping = new AbortController()
  const running = foldUntilStopped(options, stopping.signal)
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

async function foldUntilStopped(options: Parameters<typeof startFolder>[0], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    let isFull = false
    try {
      const batch = await options.fold.fold(options.batchMax)
      if (batch.folded > 0) options.onFolded(batch.folded)
      isFull = batch.isFull
    } catch (error) {
      options.onError(error)
    }
    if (!isFull) await setTimeout(options.everyMs, undefined, { signal }).catch(() => {})
  }
}
