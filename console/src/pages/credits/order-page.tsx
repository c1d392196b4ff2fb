import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useOwnerId } from '../../api/books.ts'
import { topUpQuery } from '../../api/payments.ts'
import { useWallet } from '../../app/wallet.ts'
import { mayPay } from '../../app/wallet-rights.ts'
import { buttonClass } from '../../ui/button.tsx'
import { OrderSheet } from './order-sheet.tsx'

/** One order, in a sheet over the list. */
export function OrderPage() {
  const { topUpId } = useParams({ from: '/app/credits/$topUpId' })
  const navigate = useNavigate()
  const wallet = useWallet()
  const order = useQuery(topUpQuery(useOwnerId(wallet), topUpId))
  return (
    <OrderSheet
      topUpId={topUpId}
      order={order}
      onClose={() => void navigate({ to: '/credits', search: true })}
      actions={({ paid_at: paidAt, checkout_url: page }) => (
        <>
          <Link to="/ledger" search={{ month: 'all', kind: 'top_up' }} className={buttonClass()}>
            View in ledger
          </Link>
          {paidAt === null ? null : (
            <Link to="/invoices" className={buttonClass()}>
              View receipts
            </Link>
          )}
          {page === null || !mayPay(wallet) ? null : (
            <a href={page} rel="noreferrer" className={buttonClass('primary')}>
              Continue to payment
            </a>
          )}
        </>
      )}
    />
  )
}
