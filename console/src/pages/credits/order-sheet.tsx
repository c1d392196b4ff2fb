import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { TopUp } from '../../api/payments.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { OrderDetails } from './order-details.tsx'

interface OrderSheetProps {
  readonly topUpId: string
  readonly order: UseQueryResult<TopUp>
  readonly onClose: () => void
  /** Actions for the order, once it has loaded. */
  readonly actions: (order: TopUp) => ReactNode
  readonly children?: ReactNode
}

/** One order in a sheet over the list, for payers and operators. */
export function OrderSheet({ topUpId, order, onClose, actions, children }: OrderSheetProps) {
  return (
    <Sheet
      isOpen
      title="Credit order"
      description={
        <span className="flex items-center gap-1 font-mono text-xs">
          <span className="truncate">{topUpId}</span>
          <CopyButton text={topUpId} label="Copy order ID" />
        </span>
      }
      onClose={onClose}
      actions={order.data === undefined ? undefined : actions(order.data)}
    >
      {order.error === null ? null : <ErrorNote error={order.error} onRetry={() => void order.refetch()} />}
      {order.data === undefined ? (
        order.error === null ? (
          <Skeleton className="h-64 w-full" />
        ) : null
      ) : (
        <OrderDetails order={order.data} />
      )}
      {children}
    </Sheet>
  )
}
