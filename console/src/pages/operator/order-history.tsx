import type { AnyTopUp } from '../../api/operator.ts'
import { Charged } from '../../ui/charged.tsx'
import { Time } from '../../ui/time.tsx'
import { CustomerLink } from './customer-link.tsx'
import { DisputeDeadline } from './dispute-deadline.tsx'
import { wordsOf } from './dispute-words.ts'

/** Whose order it is, its disputes, and why operators refunded it. */
export function OrderHistory({ order }: { readonly order: AnyTopUp }) {
  const { customer, disputes, refund_reasons: refunds, currency } = order
  return (
    <div className="mt-6 flex flex-col gap-6 text-sm">
      <p>
        <span className="text-muted">Customer: </span>
        <CustomerLink customer={customer} />
      </p>
      {disputes.length === 0 ? null : (
        <section aria-labelledby="order-disputes">
          <h3 id="order-disputes" className="mb-1 font-semibold">
            Disputes
          </h3>
          <ul className="flex flex-col gap-2">
            {disputes.map((dispute) => (
              <li key={dispute.id}>
                <Charged amount={dispute.amount} currency={dispute.currency} />, {wordsOf(dispute.reason)}:{' '}
                {wordsOf(dispute.status)}
                {dispute.open ? <DisputeDeadline dispute={dispute} /> : null}
              </li>
            ))}
          </ul>
        </section>
      )}
      {refunds.length === 0 ? null : (
        <section aria-labelledby="order-refunds">
          <h3 id="order-refunds" className="mb-1 font-semibold">
            Refunds by operators
          </h3>
          <ul className="flex flex-col gap-2">
            {refunds.map(({ amount, reason, author, created_at: at }) => (
              <li key={at} className="break-words">
                <Charged amount={amount} currency={currency} />: {reason}
                <span className="block text-muted text-xs">
                  {author ?? 'An operator'}, <Time iso={at} absolute />
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
