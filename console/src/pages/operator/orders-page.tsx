import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Link, Outlet } from '@tanstack/react-router'
import { Receipt } from 'lucide-react'
import { allTopUpsQuery } from '../../api/operator.ts'
import type { TopUp } from '../../api/payments.ts'
import type { Column } from '../../ui/column.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { factColumns, moneyColumns } from '../credits/order-columns.tsx'
import { orderFields } from './order-fields.ts'

const route = getRouteApi('/app/operator/orders')

/** Orders of all wallets, with the mismatches and disputes that need an operator. */
export function OrdersPage() {
  const { state, mismatched, wallet } = route.useSearch()
  const navigate = route.useNavigate()
  const filter = {
    ...(state === undefined ? {} : { state }),
    ...(mismatched === undefined ? {} : { mismatched: 'true' as const }),
    ...(wallet === undefined ? {} : { wallet }),
  }
  const orders = usePagedRows(useInfiniteQuery(allTopUpsQuery(filter)))
  return (
    <Page title="All orders" description="Credit orders for all accounts, newest first.">
      <DataTable
        name="all-orders"
        label="All orders"
        columns={columns}
        rowsName="orders"
        {...orders}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/operator/orders/$topUpId', params: { topUpId: id }, search: true })}
        fields={orderFields}
        empty={
          <EmptyState icon={<Receipt size={24} aria-hidden="true" />} title="No orders yet">
            Credit orders of all accounts appear here with their payment and refunds.
          </EmptyState>
        }
      />
      <Outlet />
    </Page>
  )
}

const columns: readonly Column<TopUp>[] = [
  ...factColumns('/operator/orders/$topUpId'),
  {
    id: 'wallet',
    header: 'Account',
    cell: ({ wallet_id: wallet }) => (
      <Link
        to="/operator/orders"
        search={{ wallet }}
        className="font-mono text-xs underline decoration-line-strong underline-offset-4 hover:decoration-accent"
      >
        {wallet}
      </Link>
    ),
    csv: ({ wallet_id: wallet }) => wallet,
    onPhone: 'figure',
  },
  ...moneyColumns(),
]
