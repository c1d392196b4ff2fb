import { useMutation, useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { Download, Lock } from 'lucide-react'
import { useState } from 'react'
import { type AccountingMonth, accountingQuery, closeMonth, readJournal } from '../../api/operator-money.ts'
import { queryClient } from '../../app/query-client.ts'
import { TabFrame } from '../../app/tab-frame.tsx'
import { useMayOperate } from '../../app/use-operator.ts'
import { downloadText } from '../../lib/csv.ts'
import { monthName, utcMonth } from '../../lib/utc-days.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { MonthPicker } from '../../ui/month-picker.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toastError } from '../../ui/toast.tsx'
import { AccountingBooks } from './accounting-books.tsx'
import { MonthReconciliation } from './month-reconciliation.tsx'

const route = getRouteApi('/app/operator/accounting')

/** The books of a month: journal, accounts and tax, open or closed. */
export function AccountingPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [today] = useState(() => utcMonth(Date.now()))
  const month = search.month ?? today
  const mayClose = useMayOperate()('operators.payments')
  const accounting = useQuery(accountingQuery(month))
  return (
    <TabFrame
      title="Revenue"
      tab="Accounting"
      description="Double-entry books by calendar month (UTC), for your accountant."
      actions={
        <>
          <MonthPicker
            month={month}
            today={today}
            onChange={(next) => void navigate({ search: { month: next }, replace: true })}
          />
          {accounting.data === undefined ? null : <Downloads month={month} accounting={accounting.data} />}
          {accounting.data?.closed === null && month < today && mayClose ? <CloseMonth month={month} /> : null}
        </>
      }
    >
      {accounting.error === null ? null : (
        <ErrorNote error={accounting.error} onRetry={() => void accounting.refetch()} />
      )}
      {accounting.data === undefined ? (
        accounting.error === null ? (
          <Skeleton className="h-96 w-full" />
        ) : null
      ) : (
        <div className="flex flex-col gap-5">
          <AccountingBooks accounting={accounting.data} />
          <MonthReconciliation month={month} />
        </div>
      )}
    </TabFrame>
  )
}

function Downloads({ month, accounting }: { readonly month: string; readonly accounting: AccountingMonth }) {
  const journal = useMutation({
    mutationFn: () => readJournal(month),
    onSuccess: (text) => downloadText(`journal-${month}.csv`, text),
    onError: toastError,
  })
  const saveJson = () =>
    downloadText(`books-${month}.json`, JSON.stringify(accounting.books, null, 2), 'application/json')
  const icon = <Download size={16} aria-hidden="true" />
  return (
    <>
      <Button icon={icon} isBusy={journal.isPending} onClick={() => journal.mutate()}>
        Journal CSV
      </Button>
      <Button icon={icon} onClick={saveJson}>
        Books JSON
      </Button>
    </>
  )
}

function CloseMonth({ month }: { readonly month: string }) {
  const [isAsking, setAsking] = useState(false)
  const close = useMutation({
    mutationFn: () => closeMonth(month),
    onSuccess: async () => {
      setAsking(false)
      await queryClient.invalidateQueries({ queryKey: ['operator', 'accounting'] })
    },
  })
  return (
    <>
      <Button kind="primary" icon={<Lock size={16} aria-hidden="true" />} onClick={() => setAsking(true)}>
        Close month…
      </Button>
      {isAsking ? (
        <ConfirmDialog
          title={`Close ${monthName(month)}?`}
          text="The books of the month are stored with their hash and never change. A later correction belongs to the month in which it is made."
          act="Close month"
          mutation={{ ...close, mutate: () => close.mutate() }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </>
  )
}
