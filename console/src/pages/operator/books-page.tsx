import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, RefreshCw, TriangleAlert } from 'lucide-react'
import { type PaymentBooks, paymentBooksQuery } from '../../api/operator.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import type { Column } from '../../ui/column.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { providerWords } from '../credits/provider-words.ts'
import { CustomerLink, customerWords } from './customer-link.tsx'

type Difference = PaymentBooks['differences'][number]

/** Compares the provider's books with the ledger, to the cent. */
export function BooksPage() {
  const books = useQuery(paymentBooksQuery)
  return (
    <Page
      title="Reconciliation"
      description="Compare the payment provider's records with the ledger, by order and type."
      actions={
        <Button
          icon={<RefreshCw size={15} aria-hidden="true" />}
          isBusy={books.isFetching}
          onClick={() => void books.refetch()}
        >
          Run again
        </Button>
      }
    >
      {books.error === null ? null : <ErrorNote error={books.error} onRetry={() => void books.refetch()} />}
      {books.data === undefined ? (
        books.error === null ? (
          <Skeleton className="h-32 w-full" />
        ) : null
      ) : (
        <Compared books={books.data} />
      )}
    </Page>
  )
}

function Compared({ books }: { readonly books: PaymentBooks }) {
  const { agree, differences, has_more: hasMore } = books
  return (
    <div className="flex flex-col gap-4">
      <Card>
        <p data-verdict={agree ? 'equal' : 'different'} className="flex items-center gap-2 font-semibold text-sm">
          {agree ? (
            <CircleCheck size={18} aria-hidden="true" className="text-good" />
          ) : (
            <TriangleAlert size={18} aria-hidden="true" className="text-bad" />
          )}
          {agree
            ? 'All records match.'
            : `Records don't match: ${plural(differences.length, 'difference')}${hasMore ? ' or more' : ''}.`}
        </p>
        <p className="mt-2 text-muted text-sm">
          <ReadUntil books={books} /> To check every ledger entry as well, run{' '}
          <code className="font-mono text-xs">weir audit ledger</code>.
        </p>
      </Card>
      {differences.length === 0 ? null : (
        <DataTable
          name="differences"
          label="Differences"
          columns={columns}
          rows={differences}
          rowId={({ subject, what }) => `${what} ${subject}`}
          empty={<EmptyState title="No differences" />}
        />
      )}
    </div>
  )
}

function ReadUntil({ books: { providers } }: { readonly books: PaymentBooks }) {
  if (providers.length === 0) {
    return 'No configured payment provider shares its records. Orders were compared with their ledger entries only.'
  }
  return providers.map(({ name, read_until: until }) =>
    until === null ? (
      <span key={name}>Records from {providerWords(name)} are imported hourly. The first import hasn't run yet. </span>
    ) : (
      <span key={name}>
        Records from {providerWords(name)} are imported up to <Time iso={until} absolute />.{' '}
      </span>
    ),
  )
}

const columns: readonly Column<Difference>[] = [
  {
    id: 'what',
    header: 'Failed check',
    cell: ({ what }) => what,
    csv: ({ what }) => what,
    sort: (one, other) => one.what.localeCompare(other.what),
  },
  {
    id: 'subject',
    header: 'Record',
    cell: ({ subject, top_up_id: id }) =>
      id === null ? (
        <code className="font-mono text-xs">{subject}</code>
      ) : (
        <Link
          to="/operator/orders/$topUpId"
          params={{ topUpId: id }}
          className="font-mono text-xs underline decoration-line-strong underline-offset-4 hover:decoration-accent"
        >
          {subject}
        </Link>
      ),
    csv: ({ subject }) => subject ?? '',
    width: 400,
  },
  {
    id: 'customer',
    header: 'Customer',
    cell: ({ customer }) => <CustomerLink customer={customer} />,
    csv: ({ customer }) => (customer === null ? '' : customerWords(customer)),
    onPhone: 'title',
  },
  {
    id: 'expected',
    header: 'Expected',
    cell: ({ expected }) => expected,
    csv: ({ expected }) => expected,
    align: 'right',
    width: 150,
  },
  {
    id: 'found',
    header: 'Found',
    cell: ({ found }) => found,
    csv: ({ found }) => found,
    align: 'right',
    width: 150,
  },
]
