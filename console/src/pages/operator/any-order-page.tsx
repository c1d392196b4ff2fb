import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { anyTopUpQuery } from '../../api/operator.ts'
import type { TopUp } from '../../api/payments.ts'
import { isNothing, subtractCharged } from '../../lib/charged-amount.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { OrderDetails } from '../credits/order-details.tsx'
import { RefundDialog } from './refund-dialog.tsx'

/** One order of any wallet, and its refund. */
export function AnyOrderPage() {
  const { topUpId } = useParams({ from: '/app/operator/orders/$topUpId' })
  const navigate = useNavigate()
  const order = useQuery(anyTopUpQuery(topUpId))
  const [isAsked, setAsked] = useState(false)
  const left = order.data === undefined ? null : leftOf(order.data)
  return (
    <Sheet
      isOpen
      title="Order of credit"
      description={
        <span className="flex items-center gap-1 font-mono text-xs">
          <span className="truncate">{topUpId}</span>
          <CopyButton text={topUpId} label="Copy the id" />
        </span>
      }
      onClose={() => void navigate({ to: '/operator/orders', search: true })}
      actions={
        order.data === undefined ? undefined : (
          <>
            <Link to="/operator/orders" search={{ wallet: order.data.wallet_id }} className={buttonClass()}>
              Orders of this wallet
            </Link>
            {left === null || isNothing(left) ? null : (
              <Button kind="danger" onClick={() => setAsked(true)}>
                Refund…
              </Button>
            )}
          </>
        )
      }
    >
      {order.error === null ? null : <ErrorNote error={order.error} onRetry={() => void order.refetch()} />}
      {order.data === undefined ? (
        order.error === null ? (
          <Skeleton className="h-64 w-full" />
        ) : null
      ) : (
        <OrderDetails order={order.data} />
      )}
      {isAsked && order.data !== undefined && left !== null ? (
        <RefundDialog order={order.data} left={left} onClose={() => setAsked(false)} />
      ) : null}
    </Sheet>
  )
}

/** What of the payment has not gone back. */
function leftOf({ paid, refunded, disputed }: TopUp) {
  return subtractCharged(paid, refunded, disputed)
}
