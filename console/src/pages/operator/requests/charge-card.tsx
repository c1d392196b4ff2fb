import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { RequestTrace } from '../../../api/operated-requests.ts'
import { Money } from '../../../ui/money.tsx'
import { Card } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { kindName } from '../../ledger/kind-names.ts'

/** What the ledger has of the request: whether it was charged, and how often. */
export function ChargeCard({ request: { transfers } }: { readonly request: RequestTrace }) {
  const charges = transfers.filter(({ kind }) => kind === 'charge').length
  const isSound = charges <= 1
  return (
    <Card title="Ledger">
      <p data-charges={charges} className="flex items-center gap-2 font-medium text-sm">
        {isSound ? (
          <CircleCheck size={16} aria-hidden="true" className="text-good" />
        ) : (
          <TriangleAlert size={16} aria-hidden="true" className="text-bad" />
        )}
        {charges === 0 ? 'Not charged.' : isSound ? 'Charged once.' : `Charged ${charges} times.`}
      </p>
      <ul className="mt-3 flex flex-col gap-2 text-sm empty:hidden">
        {transfers.map((transfer) => (
          <li key={`${transfer.id} ${transfer.kind}`} className="flex flex-wrap items-baseline gap-x-4">
            <span className="flex-1">{kindName(transfer.kind)}</span>
            <Time iso={transfer.booked_at} absolute />
            <Money usd={transfer.amount} />
            {transfer.balance_after === null ? null : (
              <span className="text-muted text-xs">
                balance <Money usd={transfer.balance_after} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}
