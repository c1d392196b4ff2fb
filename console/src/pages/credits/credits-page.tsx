import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { CreditCard } from 'lucide-react'
import { booksQuery, useOwnerId } from '../../api/books.ts'
import { offerQuery, topUpsQuery } from '../../api/payments.ts'
import { TabFrame } from '../../app/tab-frame.tsx'
import { useWallet, type Wallet } from '../../app/wallet.ts'
import { mayPay } from '../../app/wallet-rights.ts'
import { Badge } from '../../ui/badge.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card } from '../../ui/page.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BalanceSummary } from './balance-summary.tsx'
import { BuyCard } from './buy-card.tsx'
import { orderColumns } from './order-columns.tsx'
import { RedeemCard } from './redeem-card.tsx'
import { ReturnNote } from './return-note.tsx'

const route = getRouteApi('/app/credits')

/** The balance, ways to add credit, and all orders. */
export function CreditsPage() {
  const wallet = useWallet()
  const ownerId = useOwnerId(wallet)
  return (
    <TabFrame
      title="Billing"
      tab="Credits"
      description="Prepaid credit pays for your requests. Buy more or redeem a code."
    >
      {ownerId === undefined ? <Skeleton className="h-64 w-full" /> : <Credits wallet={wallet} ownerId={ownerId} />}
    </TabFrame>
  )
}

function Credits({ wallet, ownerId }: { readonly wallet: Wallet; readonly ownerId: string }) {
  const { top_up: paid, cancelled } = route.useSearch()
  const books = useQuery(booksQuery(ownerId))
  const pays = mayPay(wallet)
  const returned = paid ?? cancelled
  return (
    <div className="flex flex-col gap-4">
      {returned === undefined || !pays ? null : (
        <ReturnNote key={returned} ownerId={ownerId} topUpId={returned} isCancelled={paid === undefined} />
      )}
      {books.error === null ? null : <ErrorNote error={books.error} onRetry={() => void books.refetch()} />}
      <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:grid-rows-[auto_1fr]">
        <div className="lg:col-start-2">
          <BalanceSummary books={books.data} />
        </div>
        <div className="min-w-0 lg:col-start-1 lg:row-span-2 lg:row-start-1">
          {pays ? <BuySide ownerId={ownerId} /> : <OnlySees wallet={wallet} />}
        </div>
        {pays ? (
          <div className="lg:col-start-2">
            <RedeemCard ownerId={ownerId} />
          </div>
        ) : null}
      </div>
      <Orders ownerId={ownerId} />
      <Outlet />
    </div>
  )
}

function BuySide({ ownerId }: { readonly ownerId: string }) {
  const offer = useQuery(offerQuery)
  if (offer.error !== null) return <ErrorNote error={offer.error} onRetry={() => void offer.refetch()} />
  if (offer.data === undefined) return <Skeleton className="h-72 w-full" />
  if (offer.data.enabled) return <BuyCard ownerId={ownerId} offer={offer.data} />
  return (
    <Card title="Buy credit">
      <p className="text-sm">Online payment isn't set up on this gateway.</p>
      <p className="mt-2 text-muted text-sm">Ask the gateway operator for credit, or redeem a code.</p>
    </Card>
  )
}

function Orders({ ownerId }: { readonly ownerId: string }) {
  const navigate = route.useNavigate()
  const orders = usePagedRows(useInfiniteQuery(topUpsQuery(ownerId)))
  return (
    <div className="mt-2">
      <h2 className="mb-2 font-semibold text-sm">Orders</h2>
      <DataTable
        name="orders"
        label="Orders"
        columns={orderColumns}
        {...orders}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/credits/$topUpId', params: { topUpId: id }, search: true })}
        empty={
          <EmptyState icon={<CreditCard size={24} aria-hidden="true" />} title="No orders yet">
            Credit orders appear here with their cost and status.
          </EmptyState>
        }
      />
    </div>
  )
}

function OnlySees({ wallet }: { readonly wallet: Wallet }) {
  return (
    <Card title="Buy credit" aside={<Badge>Billing viewer</Badge>}>
      <p className="text-muted text-sm">
        Only admins of {wallet.name} can buy credit and redeem codes. You can view the balance and orders.
      </p>
    </Card>
  )
}
