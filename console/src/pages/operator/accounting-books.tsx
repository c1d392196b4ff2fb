import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { AccountingMonth } from '../../api/operator-money.ts'
import type { Column } from '../../ui/column.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { Tiles } from '../../ui/tiles.tsx'
import { Time } from '../../ui/time.tsx'

type Books = AccountingMonth['books']
type Entry = Books['entries'][number]
type Account = Books['accounts'][number]
type Tax = Books['taxes'][number]

/** The sums of a month, whether it is closed, its tax by country, and its journal. */
export function AccountingBooks({ accounting: { books, closed, agrees } }: { readonly accounting: AccountingMonth }) {
  return (
    <div className="flex flex-col gap-5">
      <Tiles
        tiles={[
          ['Revenue', <Money key="revenue" usd={books.revenue} short />],
          ['Expenses', <Money key="expenses" usd={books.expenses} short />],
          ['Result', <Money key="result" usd={books.result} short />],
          ['Deferred credit', <Money key="credit" usd={books.deferred_credit.after} short />],
        ]}
      />
      <Card>
        <CloseState closed={closed} agrees={agrees} />
      </Card>
      <Part title="Sales tax by country and rate">
        <DataTable
          name="taxes"
          label="Sales tax"
          columns={taxColumns}
          rows={books.taxes}
          rowId={({ country, percent, currency }) => `${country} ${percent} ${currency}`}
          empty={<EmptyState title="No documents in this month" />}
        />
      </Part>
      <Part title="Journal">
        <DataTable
          name="journal"
          label="Journal"
          columns={entryColumns}
          rows={books.entries}
          rowId={({ kind, provider, debit, credit }) => `${kind} ${provider} ${debit} ${credit}`}
          empty={<EmptyState title="No bookings in this month" />}
        />
      </Part>
      <Part title="Accounts">
        <DataTable
          name="accounts"
          label="Accounts"
          columns={accountColumns}
          rows={books.accounts}
          rowId={({ account }) => account}
          empty={<EmptyState title="No bookings in this month" />}
        />
      </Part>
    </div>
  )
}

/** The table inside is a landmark of its own name. */
function Part({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <div>
      <h2 className="mb-2 font-semibold text-sm">{title}</h2>
      {children}
    </div>
  )
}

function CloseState({ closed, agrees }: Pick<AccountingMonth, 'closed' | 'agrees'>) {
  if (closed === null) return <p className="text-sm">This month is open. Its books may still change.</p>
  return (
    <div className="text-sm">
      <p data-closed={agrees === true ? 'agrees' : 'differs'} className="flex items-center gap-2 font-semibold">
        {agrees === true ? (
          <CircleCheck size={18} aria-hidden="true" className="shrink-0 text-good" />
        ) : (
          <TriangleAlert size={18} aria-hidden="true" className="shrink-0 text-bad" />
        )}
        {agrees === true
          ? "Closed. The books haven't changed since."
          : 'Closed, but the books have changed since. Run weir audit ledger.'}
      </p>
      <p className="mt-1 break-words text-muted text-xs">
        Closed <Time iso={closed.closed_at} absolute />, SHA-256 <code className="font-mono">{closed.sha256}</code>
      </p>
    </div>
  )
}

const money = (usd: string) => <Money usd={usd} />

const taxColumns: readonly Column<Tax>[] = [
  {
    id: 'country',
    header: 'Country',
    cell: ({ country }) => country ?? 'Unknown',
    csv: ({ country }) => country ?? '',
    onPhone: 'title',
  },
  { id: 'percent', header: 'Rate', cell: rateOf, csv: ({ percent }) => percent ?? '', align: 'right', width: 110 },
  { id: 'currency', header: 'Currency', cell: ({ currency }) => currency, csv: ({ currency }) => currency, width: 110 },
  {
    id: 'documents',
    header: 'Documents',
    cell: ({ documents }) => Number(documents).toLocaleString('en'),
    csv: ({ documents }) => String(documents),
    align: 'right',
    width: 120,
  },
  {
    id: 'net',
    header: 'Net',
    cell: ({ net }) => money(net),
    csv: ({ net }) => net,
    align: 'right',
    width: 150,
    onPhone: 'figure',
  },
  {
    id: 'tax',
    header: 'Tax',
    cell: ({ tax }) => money(tax),
    csv: ({ tax }) => tax,
    align: 'right',
    width: 150,
    onPhone: 'figure',
  },
]

function rateOf({ percent }: Tax): string {
  return percent === null ? 'No tax' : `${percent}%`
}

const entryColumns: readonly Column<Entry>[] = [
  {
    id: 'kind',
    header: 'Booking',
    cell: ({ kind, provider }) => [kind.replaceAll('_', ' '), provider].filter((word) => word !== null).join(' · '),
    csv: ({ kind }) => kind,
    onPhone: 'title',
  },
  { id: 'debit', header: 'Debit', cell: ({ debit }) => debit, csv: ({ debit }) => debit },
  { id: 'credit', header: 'Credit', cell: ({ credit }) => credit, csv: ({ credit }) => credit },
  {
    id: 'count',
    header: 'Count',
    cell: ({ count }) => Number(count).toLocaleString('en'),
    csv: ({ count }) => String(count),
    align: 'right',
    width: 110,
  },
  {
    id: 'amount',
    header: 'Amount (USD)',
    cell: ({ amount }) => money(amount),
    csv: ({ amount }) => amount,
    align: 'right',
    width: 160,
    onPhone: 'figure',
  },
]

const accountColumns: readonly Column<Account>[] = [
  { id: 'account', header: 'Account', cell: ({ account }) => account, csv: ({ account }) => account, onPhone: 'title' },
  { id: 'type', header: 'Type', cell: ({ type }) => type, csv: ({ type }) => type, width: 120 },
  {
    id: 'debits',
    header: 'Debits (USD)',
    cell: ({ debits }) => money(debits),
    csv: ({ debits }) => debits,
    align: 'right',
    width: 160,
    onPhone: 'figure',
  },
  {
    id: 'credits',
    header: 'Credits (USD)',
    cell: ({ credits }) => money(credits),
    csv: ({ credits }) => credits,
    align: 'right',
    width: 160,
    onPhone: 'figure',
  },
]
