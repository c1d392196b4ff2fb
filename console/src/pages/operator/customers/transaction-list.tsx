import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { type CustomerTransaction, transactionsQuery } from '../../../api/customers.ts'
import { useMayOperate } from '../../../app/use-operator.ts'
import { exactUsd, toNano } from '../../../lib/money.ts'
import { monthBounds } from '../../../lib/utc-days.ts'
import type { Column } from '../../../ui/column.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Money } from '../../../ui/money.tsx'
import { usePagedRows } from '../../../ui/paged-rows.ts'
import { Time } from '../../../ui/time.tsx'
import { kindName } from '../../ledger/kind-names.ts'

/** The transactions of a month, newest first. A charge leads to its request. */
export function TransactionList({ customerId, month }: { readonly customerId: string; readonly month: string }) {
  const { fromMs, toMs } = monthBounds(month)
  const range = { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
  const transactions = usePagedRows(useInfiniteQuery(transactionsQuery(customerId, range)))
  return (
    <DataTable
      name="customer-transactions"
      label="Transactions"
      columns={columns}
      {...transactions}
      rowId={({ id, kind }) => `${id} ${kind}`}
      empty={
        <EmptyState icon={<ScrollText size={24} aria-hidden="true" />} title="No transactions">
          Payments and charges of the month appear here.
        </EmptyState>
      }
    />
  )
}

/** Links to the request that caused the transaction, for operators who may view it. */
function Kind({ of: { kind, generation_id: id } }: { readonly of: CustomerTransaction }) {
  const seesRequests = useMayOperate()('operators.requests')
  if (id === null || !seesRequests) return kindName(kind)
  return (
    <Link
      to="/operator/requests/$requestId"
      params={{ requestId: id }}
      className="underline decoration-line-strong underline-offset-4 hover:decoration-accent"
    >
      {kindName(kind)}
    </Link>
  )
}

const columns: readonly Column<CustomerTransaction>[] = [
  {
    id: 'at',
    header: 'Time',
    cell: ({ at }) => <Time iso={at} />,
    csv: ({ at }) => at,
    width: 120,
    onPhone: 'figure',
  },
  {
    id: 'kind',
    header: 'Type',
    cell: (transaction) => <Kind of={transaction} />,
    csv: ({ kind }) => kind,
    onPhone: 'title',
  },
  {
    id: 'amount',
    header: 'Amount (USD)',
    cell: ({ amount }) => <Money usd={amount} />,
    csv: ({ amount }) => exactUsd(toNano(amount)),
    align: 'right',
    width: 160,
    onPhone: 'figure',
  },
  {
    id: 'balance',
    header: 'Balance after (USD)',
    cell: ({ balance_after: balance }) => (balance === null ? '–' : <Money usd={balance} />),
    csv: ({ balance_after: balance }) => (balance === null ? '' : exactUsd(toNano(balance))),
    align: 'right',
    width: 186,
    onPhone: 'figure',
  },
]
