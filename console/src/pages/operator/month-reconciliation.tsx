import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { type MonthReconciliation as Reconciliation, reconciliationQuery } from '../../api/operator-money.ts'
import { Charged } from '../../ui/charged.tsx'
import type { Column } from '../../ui/column.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { providerWords } from '../credits/provider-words.ts'
import { CustomerLink, customerWords } from './customer-link.tsx'

type Sum = Reconciliation['sums'][number]
type Difference = Reconciliation['differences'][number]
type Payout = Reconciliation['payouts'][number]

/** The payment provider's side of a month: its sums, the records that differ, and its payouts. */
export function MonthReconciliation({ month }: { readonly month: string }) {
  const { data, error, refetch } = useQuery(reconciliationQuery(month))
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton className="h-48 w-full" />
  return (
    <div className="flex flex-col gap-3">
      <h2 className="font-semibold text-sm">Payment provider</h2>
      <Card>
        <Verdict reconciliation={data} />
      </Card>
      <DataTable
        name="reconciled"
        label="Provider and books"
        columns={sumColumns}
        rows={data.sums}
        rowId={({ provider, kind, currency }) => `${provider} ${kind} ${currency}`}
        empty={<EmptyState title="No payments in this month" />}
      />
      {data.differences.length === 0 ? null : (
        <DataTable
          name="month-differences"
          label="Records that differ"
          columns={differenceColumns}
          rows={data.differences}
          rowId={({ top_up_id: order, line_id: line, kind, currency }) => `${order} ${line} ${kind} ${currency}`}
          empty={<EmptyState title="No differences" />}
        />
      )}
      <DataTable
        name="payouts"
        label="Payouts"
        columns={payoutColumns}
        rows={data.payouts}
        rowId={({ id }) => id}
        empty={<EmptyState title="No payouts in this month" />}
      />
    </div>
  )
}

function Verdict({ reconciliation: { agree, differences, providers } }: { readonly reconciliation: Reconciliation }) {
  const wrong = differences.filter(({ other_month: isOtherMonth }) => !isOtherMonth).length
  return (
    <>
      <p data-reconciled={agree} className="flex items-center gap-2 font-semibold text-sm">
        {agree ? (
          <CircleCheck size={18} aria-hidden="true" className="shrink-0 text-good" />
        ) : (
          <TriangleAlert size={18} aria-hidden="true" className="shrink-0 text-bad" />
        )}
        {agree ? "The provider's records match the books." : `Records that don't match the books: ${wrong}.`}
      </p>
      <p className="mt-1 text-muted text-sm">
        {providers.length === 0 ? 'No configured payment provider shares its records.' : null}
        {providers.map(({ name, complete, read_until: until }) => (
          <span key={name}>
            {providerWords(name)}:{' '}
            {complete ? (
              'the whole month was imported. '
            ) : until === null ? (
              'nothing was imported yet. '
            ) : (
              <>
                imported up to <Time iso={until} absolute />.{' '}
              </>
            )}
          </span>
        ))}
      </p>
    </>
  )
}

const words = (kind: string) => kind.replaceAll('_', ' ')

const sumColumns: readonly Column<Sum>[] = [
  {
    id: 'kind',
    header: 'Type',
    cell: ({ kind, provider }) => `${words(kind)} · ${providerWords(provider)}`,
    csv: ({ kind }) => kind,
    onPhone: 'title',
  },
  {
    id: 'theirs',
    header: 'Provider',
    cell: ({ theirs, currency }) => <Charged amount={theirs} currency={currency} />,
    csv: ({ theirs }) => theirs,
    align: 'right',
    width: 160,
    onPhone: 'figure',
  },
  {
    id: 'ours',
    header: 'Books',
    cell: ({ ours, currency }) => <Charged amount={ours} currency={currency} />,
    csv: ({ ours }) => ours,
    align: 'right',
    width: 160,
    onPhone: 'figure',
  },
  {
    id: 'difference',
    header: 'Difference',
    cell: ({ difference, currency }) => <Charged amount={difference} currency={currency} />,
    csv: ({ difference }) => difference,
    align: 'right',
    width: 160,
    onPhone: 'figure',
  },
]

const differenceColumns: readonly Column<Difference>[] = [
  {
    id: 'record',
    header: 'Record',
    cell: ({ top_up_id: order, line_id: line }) =>
      order === null ? (
        <code className="font-mono text-xs">{line}</code>
      ) : (
        <Link
          to="/operator/orders/$topUpId"
          params={{ topUpId: order }}
          className="font-mono text-xs underline decoration-line-strong underline-offset-4 hover:decoration-accent"
        >
          {order}
        </Link>
      ),
    csv: ({ top_up_id: order, line_id: line }) => order ?? line ?? '',
    width: 320,
  },
  {
    id: 'customer',
    header: 'Customer',
    cell: ({ customer }) => <CustomerLink customer={customer} />,
    csv: ({ customer }) => (customer === null ? '' : customerWords(customer)),
    onPhone: 'title',
  },
  {
    id: 'cause',
    header: 'Cause',
    cell: ({ other_month: isOtherMonth }) => (isOtherMonth ? 'Dated in another month' : 'Differs'),
    csv: ({ other_month: isOtherMonth }) => (isOtherMonth ? 'other month' : 'differs'),
    width: 190,
  },
  ...sumColumns.slice(0, 3).map((column) => ({ ...column, width: 150 })),
]

const payoutColumns: readonly Column<Payout>[] = [
  {
    id: 'at',
    header: 'Created',
    cell: ({ created_at: at }) => <Time iso={at} absolute />,
    csv: ({ created_at: at }) => at,
    width: 220,
    onPhone: 'title',
  },
  { id: 'kind', header: 'Type', cell: ({ kind }) => words(kind), csv: ({ kind }) => kind, width: 160 },
  {
    id: 'id',
    header: 'Balance transaction',
    cell: ({ id }) => <code className="font-mono text-xs">{id}</code>,
    csv: ({ id }) => id,
  },
  {
    id: 'amount',
    header: 'Amount',
    cell: ({ amount, currency }) => <Charged amount={amount} currency={currency} />,
    csv: ({ amount }) => amount,
    align: 'right',
    width: 160,
    onPhone: 'figure',
  },
]
