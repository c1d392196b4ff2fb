import { useInfiniteQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { ScrollText } from 'lucide-react'
import { listTransactions, type Transaction } from '../../api/books.ts'
import { exactUsd, toNano } from '../../lib/money.ts'
import { type DaySpan, parseDaySpan } from '../../lib/period.ts'
import { monthBounds, monthName } from '../../lib/utc-days.ts'
import type { Column } from '../../ui/column.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { FilterField } from '../../ui/filter-field.ts'
import { Money } from '../../ui/money.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { Time } from '../../ui/time.tsx'
import { TimeRange } from '../../ui/time-range.tsx'
import { kindName, kindNames } from './kind-names.ts'
import { type LedgerKind, ledgerKinds } from './search.ts'

const pageSize = '50'

/** Ledger rows, newest first. A charge links to its receipt. */
export function TransactionTable({
  ownerId,
  month,
  kind,
  period,
}: {
  readonly ownerId: string
  readonly month: string
  readonly kind: LedgerKind | undefined
  /** Custom days, instead of the month. */
  readonly period: DaySpan | undefined
}) {
  const navigate = useNavigate()
  const list = useInfiniteQuery({
    queryKey: ['transactions', ownerId, period ?? month, kind],
    queryFn: ({ pageParam }) =>
      listTransactions(ownerId, { ...rangeOf(month, period), kind, limit: pageSize, before: pageParam }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  })
  const paged = usePagedRows(list)
  const { rows } = paged
  return (
    <DataTable
      name="ledger"
      label="Transactions"
      columns={columns}
      {...paged}
      rowId={({ id, kind: booked }) => `${id} ${booked}`}
      onOpen={({ generation_id }) => {
        if (generation_id === null) return
        void navigate({ to: '/requests/$requestId', params: { requestId: generation_id } })
      }}
      fields={fields}
      filters={
        <TimeRange
          presets={[{ value: 'statement', label: month === 'all' ? 'All time' : monthName(month) }]}
          usual="statement"
        />
      }
      footer={rows === undefined ? undefined : sumRow(rows, list.hasNextPage)}
      empty={
        <EmptyState icon={<ScrollText size={24} aria-hidden="true" />} title="No transactions">
          Payments and charges of these days appear here. Free requests don't appear in the ledger.
        </EmptyState>
      }
    />
  )
}

const fields: readonly FilterField[] = [
  {
    name: 'kind',
    label: 'Type',
    type: 'choice',
    choices: ledgerKinds.map((value) => ({ value, label: kindNames(value) })),
  },
]

function rangeOf(month: string, period: DaySpan | undefined): { readonly from?: string; readonly to?: string } {
  const custom = parseDaySpan(period)
  if (month === 'all' && custom === undefined) return {}
  const { fromMs, toMs } = custom ?? monthBounds(month)
  return { from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }
}

function sumRow(rows: readonly Transaction[], hasMore: boolean) {
  const nano = rows.reduce((sum, { amount }) => sum + toNano(amount), 0n)
  return { at: hasMore ? `${rows.length} loaded` : `${rows.length} total`, amount: <Money nano={nano} /> }
}

const columns: readonly Column<Transaction>[] = [
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
    cell: ({ kind }) => kindName(kind),
    csv: ({ kind }) => kind,
    width: 220,
    onPhone: 'title',
  },
  {
    id: 'request',
    header: 'Request',
    cell: ({ generation_id }) =>
      generation_id === null ? (
        <span className="text-muted">–</span>
      ) : (
        <Link
          to="/requests/$requestId"
          params={{ requestId: generation_id }}
          className="font-mono text-xs underline decoration-line-strong underline-offset-4 hover:decoration-accent"
        >
          {generation_id}
        </Link>
      ),
    csv: ({ generation_id }) => generation_id ?? '',
  },
  {
    id: 'moved',
    header: 'Entry amount (USD)',
    cell: ({ moved }) => <Money usd={moved} />,
    csv: ({ moved }) => exactUsd(toNano(moved)),
    align: 'right',
    width: 170,
    isHidden: true,
  },
  {
    id: 'accounts',
    header: 'Accounts (from → to)',
    cell: ({ debit, credit }) => `${debit} → ${credit}`,
    csv: ({ debit, credit }) => `${debit} → ${credit}`,
    width: 180,
    isHidden: true,
  },
  {
    id: 'booked',
    header: 'Posted',
    cell: ({ booked_at }) => <Time iso={booked_at} />,
    csv: ({ booked_at }) => booked_at,
    width: 120,
    isHidden: true,
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
    cell: ({ balance_after }) => (balance_after === null ? '–' : <Money usd={balance_after} />),
    csv: ({ balance_after }) => (balance_after === null ? '' : exactUsd(toNano(balance_after))),
    align: 'right',
    width: 180,
    onPhone: 'figure',
  },
]
