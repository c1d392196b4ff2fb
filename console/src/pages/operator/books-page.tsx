import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { CircleCheck, RefreshCw, TriangleAlert } from 'lucide-react'
import { type PaymentBooks, paymentBooksQuery } from '../../api/operator.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'

type Difference = PaymentBooks['differences'][number]

/** Whether the provider's books and ours say the same, to the cent. */
export function BooksPage() {
  const books = useQuery(paymentBooksQuery)
  return (
    <Page
      title="Books"
      description="The payment provider's books beside ours, by order and kind."
      actions={
        <Button
          icon={<RefreshCw size={15} aria-hidden="true" />}
          isBusy={books.isFetching}
          onClick={() => void books.refetch()}
        >
          Compare again
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
            ? 'The books agree.'
            : `The books do not agree: ${plural(differences.length, 'difference')}${hasMore ? ' and more' : ''}.`}
        </p>
        <p className="mt-2 text-muted text-sm">
          <ReadUntil books={books} /> <code className="font-mono text-xs">weir audit ledger</code> checks every line of
          the ledger as well.
        </p>
      </Card>
      {differences.length === 0 ? null : (
        <DataTable
          name="differences"
          label="Differences"
          columns={columns}
          rows={differences}
          rowId={({ subject, what }) => `${what} ${subject}`}
          empty={<EmptyState title="Nothing differs" />}
        />
      )}
    </div>
  )
}

function ReadUntil({ books: { providers } }: { readonly books: PaymentBooks }) {
  if (providers.length === 0) {
    return 'No provider here keeps books. Orders were compared with what was booked for them.'
  }
  return providers.map(({ name, read_until: until }) =>
    until === null ? (
      <span key={name}>A worker reads the books of {name} every hour. It has not read them yet. </span>
    ) : (
      <span key={name}>
        The books of {name} were read up to <Time iso={until} absolute />.{' '}
      </span>
    ),
  )
}

const columns: readonly Column<Difference>[] = [
  { id: 'what', header: 'What does not hold', cell: ({ what }) => what, csv: ({ what }) => what },
  {
    id: 'subject',
    header: 'Of',
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
    id: 'expected',
    header: 'Ours',
    cell: ({ expected }) => expected,
    csv: ({ expected }) => expected,
    align: 'right',
    width: 150,
  },
  {
    id: 'found',
    header: "The provider's",
    cell: ({ found }) => found,
    csv: ({ found }) => found,
    align: 'right',
    width: 150,
  },
]
