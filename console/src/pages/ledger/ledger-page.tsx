import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import { booksQuery, statementQuery, useOwnerId } from '../../api/books.ts'
import { BillingFrame } from '../../app/billing-frame.tsx'
import { useWallet } from '../../app/wallet.ts'
import { addMonths, monthName, utcMonth } from '../../lib/utc-days.ts'
import { Button, IconButton } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { HoldTable } from './hold-table.tsx'
import type { LedgerSearch } from './search.ts'
import { BooksCard, StatementCard } from './statement-card.tsx'
import { TransactionTable } from './transaction-table.tsx'

/** The statement of a month, and its transfers. */
export function LedgerPage() {
  const wallet = useWallet()
  const ownerId = useOwnerId(wallet)
  const search = useSearch({ from: '/app/ledger' })
  const navigate = useNavigate()
  const [today] = useState(() => utcMonth(Date.now()))
  const month = search.month ?? today
  const isAll = month === 'all'
  const books = useQuery({ ...booksQuery(ownerId), enabled: isAll && ownerId !== undefined })
  const statement = useQuery({ ...statementQuery(ownerId, month), enabled: !isAll && ownerId !== undefined })
  const shown = isAll ? books : statement
  const change = (next: { readonly [Name in keyof LedgerSearch]: LedgerSearch[Name] | undefined }) =>
    void navigate({ to: '.', search: (old) => ({ ...old, ...next }) as LedgerSearch })
  return (
    <BillingFrame
      tab="Ledger"
      description="Opening balance, transactions, and closing balance for each month (UTC)."
      actions={<MonthPicker month={month} today={today} onChange={(next) => change({ month: next })} />}
    >
      {shown.error === null ? null : <ErrorNote error={shown.error} onRetry={() => void shown.refetch()} />}
      {shown.error !== null ? null : isAll ? (
        <BooksCard books={books.data} />
      ) : (
        <StatementCard statement={statement.data} month={month} />
      )}
      {shown.error !== null || ownerId === undefined ? null : (
        <div className="mt-6">
          <Tabs
            label="Ledger view"
            value={search.view ?? 'transactions'}
            onChange={(view) => change({ view: view === 'holds' ? 'holds' : undefined })}
            tabs={[
              {
                id: 'transactions',
                label: 'Transactions',
                content: (
                  <TransactionTable
                    ownerId={ownerId}
                    month={month}
                    kind={search.kind}
                    onKind={(kind) => change({ kind })}
                  />
                ),
              },
              { id: 'holds', label: 'Open holds', content: <HoldTable ownerId={ownerId} /> },
            ]}
          />
        </div>
      )}
    </BillingFrame>
  )
}

function MonthPicker({
  month,
  today,
  onChange,
}: {
  readonly month: string
  readonly today: string
  readonly onChange: (month: string) => void
}) {
  const isAll = month === 'all'
  return (
    <div className="flex items-center gap-1">
      <IconButton label="Previous month" disabled={isAll} onClick={() => onChange(addMonths(month, -1))}>
        <ChevronLeft size={16} aria-hidden="true" />
      </IconButton>
      <span aria-live="polite" className="figures min-w-36 text-center font-medium text-sm">
        {isAll ? 'All time' : monthName(month)}
      </span>
      <IconButton label="Next month" disabled={isAll || month >= today} onClick={() => onChange(addMonths(month, 1))}>
        <ChevronRight size={16} aria-hidden="true" />
      </IconButton>
      <Button size="small" onClick={() => onChange(isAll ? today : 'all')}>
        {isAll ? 'This month' : 'All time'}
      </Button>
    </div>
  )
}
