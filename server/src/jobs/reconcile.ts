import { type Repeated, repeatUntilStopped } from '#lib/repeat-until-stopped.ts'
import type { Reconciled, Reconciliation } from '#ports/books.ts'

/** Compares the books with themselves, again and again, until stopped. */
export function startReconciler(options: {
  reconciliation: Reconciliation
  everyMs: number
  onReconciled: (reconciled: Reconciled) => void
  onError: (error: unknown) => void
}): Repeated {
  const { reconciliation, everyMs, onReconciled, onError } = options
  return repeatUntilStopped({
    async round() {
      const reconciled = await reconciliation.reconcile()
      if (reconciled !== null) onReconciled(reconciled)
      return false
    },
    pauseMs: everyMs,
    onError,
  })
}
