import type { Log } from '#lib/log.ts'
import type { Reconciliation } from '#ports/ledger.ts'

/** Compares the books with themselves, and reports whether they agree. */
export async function reconcile(reconciliation: Reconciliation, log: Pick<Log, 'info' | 'error'>): Promise<void> {
  const reconciled = await reconciliation.reconcile()
  if (reconciled === null) return
  const { wallets, unfolded, discrepancies } = reconciled
  const [first] = discrepancies
  if (first === undefined) log.info({ wallets, unfolded }, 'the books agree')
  else log.error({ wallets, unfolded, found: discrepancies.length, first }, 'the books do not agree')
}
