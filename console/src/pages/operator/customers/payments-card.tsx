import { Link } from '@tanstack/react-router'
import type { Customer } from '../../../api/customers.ts'
import { Charged } from '../../../ui/charged.tsx'
import { Card } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { OrderState } from '../../credits/order-state.tsx'

/** The latest credit orders. */
export function PaymentsCard({ customer: { payments } }: { readonly customer: Customer }) {
  return (
    <Card title="Latest orders">
      {payments.length === 0 ? (
        <p className="text-muted text-sm">No orders yet.</p>
      ) : (
        <ul className="flex flex-col gap-2 text-sm">
          {payments.map((order) => (
            <li key={order.id} className="flex items-baseline gap-3">
              <Link
                to="/operator/orders/$topUpId"
                params={{ topUpId: order.id }}
                className="flex-1 underline decoration-line-strong underline-offset-4 hover:decoration-accent"
              >
                <Time iso={order.created_at} />
              </Link>
              <OrderState order={order} />
              <Charged amount={order.total} currency={order.currency} />
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}
