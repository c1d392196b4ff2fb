import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { booksQuery, listHolds, statementQuery, useOwnerId } from '../../api/books.ts'
import { TabFrame } from '../../app/tab-frame.tsx'
import { useWallet } from '../../app/wallet.ts'
import { utcMonth } from '../../lib/utc-days.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { MonthPicker } from '../../ui/month-picker.tsx'
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
    <TabFrame
      title="Billing"
      tab="Ledger"
      description="Opening balance, transactions, and closing balance for each month (UTC)."
      actions={
        <>
          <MonthPicker
            month={isAll ? null : month}
            today={today}
            onChange={(next) => change({ month: next, period: undefined })}
          />
          <Button size="small" onClick={() => change({ month: isAll ? today : 'all', period: undefined })}>
            {isAll ? 'This month' : 'All time'}
          </Button>
        </>
      }
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
                content: <TransactionTable ownerId={ownerId} month={month} kind={search.kind} period={search.period} />,
              },
              { id: 'holds', label: 'Open holds', content: <HoldTable ownerId={ownerId} read={listHolds} /> },
            ]}
          />
        </div>
      )}
    </TabFrame>
  )
}
