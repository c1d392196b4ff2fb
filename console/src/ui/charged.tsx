import { formatCharged } from '../lib/charged-amount.ts'
import type { ExactNumber } from '../lib/money.ts'

/** A payment amount in its own currency, and in `data-charged` for tests. */
export function Charged({ amount, currency }: { readonly amount: ExactNumber | string; readonly currency: string }) {
  return (
    <data value={String(amount)} data-charged={`${amount} ${currency}`} className="figures whitespace-nowrap">
      {formatCharged(amount, currency)}
    </data>
  )
}
