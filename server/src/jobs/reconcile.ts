import { setTimeout } from 'node:timers/promises'
import type { Reconciled, Reconciliation } from '#ports/books.ts'

/** Compares the books with themselves, again and again, until stopped. */
export interface Reconciler {
  stop(): Promise<void>
}

export function startReconciler(options: {
  reconciliation: Reconciliation
  everyMs: number
  onReconciled: (reconciled: Reconciled) => void
  onError: (error: unknown) => void
}): Reconciler {
  const stopping = new AbortController()
  const running = reconcileUntilStopped(options, stopping.signal)
  return {
    stop: async () => {
      stopping.abort()
      await running
    },
  }
}

async function reconcileUntilStopped(
  { reconciliation, everyMs, onReconciled, onError }: Parameters<typeof startReconciler>[0],
  signal: AbortSignal,
): Promise<void> {
  // At once: a worker that is started anew within every interval would never come to it otherwise.
  while (!signal.aborted) {
    try {
      const reconciled = await reconciliation.reconcile()
      if (reconciled !== null) onReconciled(reconciled)
    } catch (error) {
      onError(error)
    }
    await setTimeout(everyMs, undefined, { signal }).catch(() => {})
  }
}
