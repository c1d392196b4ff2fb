import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { customerQuery, listAnyHolds, statementQuery } from '../../../api/customers.ts'
import { utcMonth } from '../../../lib/utc-days.ts'
import { buttonClass } from '../../../ui/button.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { MonthPicker } from '../../../ui/month-picker.tsx'
import { Page } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { Tabs } from '../../../ui/tabs.tsx'
import { HoldTable } from '../../ledger/hold-table.tsx'
import { nameOfCustomer } from './name-of-customer.ts'
import { StatementCard } from './statement-card.tsx'
import { TransactionList } from './transaction-list.tsx'

const route = getRouteApi('/app/operator/customers/$customerId/statement')

/** A month of a customer's wallet, as its owner sees it: it answers "the balance is wrong". */
export function CustomerStatementPage() {
  const { customerId } = route.useParams()
  const navigate = route.useNavigate()
  const [today] = useState(() => utcMonth(Date.now()))
  const { month = today, view = 'transactions' } = route.useSearch()
  const customer = useQuery(customerQuery(customerId))
  const statement = useQuery(statementQuery(customerId, month))
  return (
    <Page
      title="Statement"
      description={customer.data === undefined ? undefined : nameOfCustomer(customer.data)}
      actions={
        <>
          <MonthPicker
            month={month}
            today={today}
            onChange={(next) => void navigate({ search: (old) => ({ ...old, month: next }), replace: true })}
          />
          <Link to="/operator/customers/$customerId" params={{ customerId }} className={buttonClass()}>
            View customer
          </Link>
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {statement.error === null ? null : (
          <ErrorNote error={statement.error} onRetry={() => void statement.refetch()} />
        )}
        {statement.data !== undefined ? (
          <StatementCard statement={statement.data} />
        ) : statement.error === null ? (
          <Skeleton className="h-48 w-full" />
        ) : null}
        <Tabs
          label="Ledger view"
          value={view}
          onChange={(next) =>
            void navigate({
              search: { month, ...(next === 'holds' ? { view: next } : {}) },
              replace: true,
            })
          }
          tabs={[
            {
              id: 'transactions',
              label: 'Transactions',
              content: <TransactionList customerId={customerId} month={month} />,
            },
            { id: 'holds', label: 'Open holds', content: <HoldTable ownerId={customerId} read={listAnyHolds} /> },
          ]}
        />
      </div>
    </Page>
  )
}
