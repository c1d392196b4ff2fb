import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { anyTopUpQuery } from '../../api/operator.ts'
import { useMayOperate } from '../../app/use-operator.ts'
import { isNothing } from '../../lib/charged-amount.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { OrderSheet } from '../credits/order-sheet.tsx'
import { OrderHistory } from './order-history.tsx'
import { RefundDialog } from './refund-dialog.tsx'
import { refundable } from './refundable.ts'

/** One order of any wallet, with a refund action. */
export function AnyOrderPage() {
  const { topUpId } = useParams({ from: '/app/operator/orders/$topUpId' })
  const navigate = useNavigate()
  const order = useQuery(anyTopUpQuery(topUpId))
  const mayRefund = useMayOperate()('operators.payments')
  const [isAsked, setAsked] = useState(false)
  const left = order.data === undefined ? null : refundable(order.data)
  return (
    <OrderSheet
      topUpId={topUpId}
      order={order}
      onClose={() => void navigate({ to: '/operator/orders', search: true })}
      actions={({ wallet_id: wallet }) => (
        <>
          <Link to="/operator/orders" search={{ wallet }} className={buttonClass()}>
            View customer orders
          </Link>
          {left === null || isNothing(left) || !mayRefund ? null : (
            <Button kind="danger" onClick={() => setAsked(true)}>
              Refund…
            </Button>
          )}
        </>
      )}
    >
      {order.data === undefined ? null : <OrderHistory order={order.data} />}
      {isAsked && order.data !== undefined && left !== null ? (
        <RefundDialog order={order.data} left={left} onClose={() => setAsked(false)} />
      ) : null}
    </OrderSheet>
  )
}
