import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useOwnerId } from '../../api/books.ts'
import { topUpQuery } from '../../api/payments.ts'
import { mayPay, useWallet } from '../../app/wallet.ts'
import { buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { OrderDetails } from './order-details.tsx'

/** One order, as a sheet over the list: what was ordered, what was paid, what went back. */
export function OrderPage() {
  const { topUpId } = useParams({ from: '/app/credits/$topUpId' })
  const navigate = useNavigate()
  const wallet = useWallet()
  const order = useQuery(topUpQuery(useOwnerId(wallet), topUpId))
  const page = mayPay(wallet) ? (order.data?.checkout_url ?? null) : null
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
      onClose={() => void navigate({ to: '/credits', search: true })}
      actions={
        order.data === undefined ? undefined : (
          <>
            <Link to="/ledger" search={{ month: 'all', kind: 'top_up' }} className={buttonClass()}>
              See it in the ledger
            </Link>
            {order.data.paid_at === null ? null : (
              <Link to="/invoices" className={buttonClass()}>
                Receipts
              </Link>
            )}
            {page === null ? null : (
              <a href={page} rel="noreferrer" className={buttonClass('primary')}>
                Go to the payment page
              </a>
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
    </Sheet>
  )
}
