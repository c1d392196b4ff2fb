import type { Reconciled, Reconciliation } from '#ports/ledger.ts'
import type { Part } from './part.ts'

/** Compares the books with themselves. */
export function reconciliationPart(options: {
  reconciliation: Reconciliation
  everyMs: number
  onAgreed: (reconciled: Reconciled) => void
  onDiscrepancy: (first: Reconciled['discrepancies'][number], reconciled: Reconciled) => void
}): Part {
  const { reconciliation, everyMs, onAgreed, onDiscrepancy } = options
  return {
    name: 'reconciliation',
    pauseMs: everyMs,
    round: async () => {
      const reconciled = await reconciliation.reconcile()
      if (reconciled === null) return false
      const [first] = reconciled.discrepancies
      if (first === undefined) onAgreed(reconciled)
      else onDiscrepancy(first, reconciled)
      return false
    },
  }
}
