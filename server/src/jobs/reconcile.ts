import type { Reconciled, Reconciliation } from '#ports/ledger.ts'
import type { Part } from './part.ts'

/** Compares the books with themselves. */
export function reconciliationPart(options: {
  reconciliation: Reconciliation
  everyMs: number
  onReconciled: (reconciled: Reconciled) => void
}): Part {
  const { reconciliation, everyMs, onReconciled } = options
  return {
    name: 'reconciliation',
    pauseMs: everyMs,
    round: async () => {
      const reconciled = await reconciliation.reconcile()
      if (reconciled !== null) onReconciled(reconciled)
      return false
    },
  }
}
