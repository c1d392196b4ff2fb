import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { Receipt } from 'lucide-react'
import { allTopUpsQuery, type OperatedTopUp } from '../../api/operator.ts'
import { TabFrame } from '../../app/tab-frame.tsx'
import type { Column } from '../../ui/column.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { factColumns, moneyColumns } from '../credits/order-columns.tsx'
import { CustomerLink, customerWords } from './customer-link.tsx'
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
    <TabFrame title="Orders" tab="Orders" description="Credit orders of all customers, newest first.">
      <DataTable
        name="all-orders"
        label="Orders"
        columns={columns}
        rowsName="orders"
        {...orders}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/operator/orders/$topUpId', params: { topUpId: id }, search: true })}
        fields={orderFields}
        empty={
          <EmptyState icon={<Receipt size={24} aria-hidden="true" />} title="No orders yet">
            Credit orders of all customers appear here with their payment and refunds.
          </EmptyState>
        }
      />
      <Outlet />
    </TabFrame>
  )
}

const columns: readonly Column<OperatedTopUp>[] = [
  ...factColumns('/operator/orders/$topUpId'),
  {
    id: 'customer',
    header: 'Customer',
    cell: ({ customer }) => <CustomerLink customer={customer} />,
    csv: ({ customer }) => (customer === null ? '' : customerWords(customer)),
    onPhone: 'figure',
  },
  ...moneyColumns(),
]
