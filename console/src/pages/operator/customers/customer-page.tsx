import { useQuery } from '@tanstack/react-query'
import { Link, useParams, useSearch } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { type Customer, customerQuery } from '../../../api/customers.ts'
import { useMayOperate } from '../../../app/use-operator.ts'
import { Button, buttonClass } from '../../../ui/button.tsx'
import { ErrorNote } from '../../../ui/error-note.tsx'
import { Page } from '../../../ui/page.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { CustomerState } from './customer-columns.tsx'
import { KeysCard } from './keys-card.tsx'
import { nameOfCustomer } from './name-of-customer.ts'
import { NotesCard } from './notes-card.tsx'
import { PaymentsCard } from './payments-card.tsx'
import { PlacesCard } from './places-card.tsx'
import { ProfileCard } from './profile-card.tsx'
import { WalletCard } from './wallet-card.tsx'

const CreditDialog = lazy(async () => ({ default: (await import('./credit-dialog.tsx')).CreditDialog }))
const SuspendDialog = lazy(async () => ({ default: (await import('./suspend-dialog.tsx')).SuspendDialog }))
const ViewDialog = lazy(async () => ({ default: (await import('./view-dialog.tsx')).ViewDialog }))

/** Everything about one customer, from one call. */
export function CustomerPage() {
  const { customerId } = useParams({ from: '/app/operator/customers/$customerId' })
  const customer = useQuery(customerQuery(customerId))
  if (customer.data !== undefined) return <Shown customer={customer.data} />
  return (
    <Page title="Customer">
      {customer.error === null ? (
        <Skeleton className="h-64 w-full" />
      ) : (
        <ErrorNote error={customer.error} onRetry={() => void customer.refetch()} />
      )}
    </Page>
  )
}

function Shown({ customer }: { readonly customer: Customer }) {
  const mayOperate = useMayOperate()
  const [dialog, setDialog] = useState<'suspend' | 'credit' | 'view' | null>(null)
  const { view } = useSearch({ from: '/app/operator/customers/$customerId' })
  const isSuspended = customer.suspended_at !== null
  return (
    <Page
      title={nameOfCustomer(customer)}
      description={
        <span className="inline-flex flex-wrap items-center gap-2">
          <CustomerState isSuspended={isSuspended} />
          {customer.kind === 'organization' ? customer.address : customer.name}
        </span>
      }
      actions={
        <>
          <CustomerLinks customer={customer} />
          {customer.kind === 'user' && customer.address !== null && mayOperate('operators.impersonate') ? (
            <Button onClick={() => setDialog('view')}>View as this customer…</Button>
          ) : null}
          {mayOperate('operators.credit') ? <Button onClick={() => setDialog('credit')}>Add credit…</Button> : null}
          {mayOperate('operators.accounts') ? (
            <Button kind={isSuspended ? 'plain' : 'danger'} onClick={() => setDialog('suspend')}>
              {isSuspended ? 'Lift suspension…' : 'Suspend…'}
            </Button>
          ) : null}
        </>
      }
    >
      {view === 'ended' ? (
        <p role="status" className="mb-4 rounded-md border border-line bg-raised px-3 py-2 text-sm">
          The view of this customer's console has ended.
        </p>
      ) : null}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <WalletCard customer={customer} />
        <ProfileCard customer={customer} />
        <KeysCard customer={customer} />
        <PlacesCard customer={customer} />
        <PaymentsCard customer={customer} />
        <NotesCard customer={customer} />
      </div>
      <Suspense fallback={null}>
        {dialog === 'suspend' ? <SuspendDialog customer={customer} onClose={() => setDialog(null)} /> : null}
        {dialog === 'credit' ? <CreditDialog customer={customer} onClose={() => setDialog(null)} /> : null}
        {dialog === 'view' ? <ViewDialog customer={customer} onClose={() => setDialog(null)} /> : null}
      </Suspense>
    </Page>
  )
}

function CustomerLinks({ customer: { id, wallet_id: wallet, address } }: { readonly customer: Customer }) {
  const mayOperate = useMayOperate()
  return (
    <>
      {mayOperate('operators.requests') ? (
        <Link to="/operator/requests" search={{ customer: address ?? wallet }} className={buttonClass()}>
          Requests
        </Link>
      ) : null}
      <Link to="/operator/customers/$customerId/statement" params={{ customerId: id }} className={buttonClass()}>
        Statement
      </Link>
      <Link to="/operator/audit-log" search={{ target: id }} className={buttonClass()}>
        Audit log
      </Link>
      <Link to="/operator/orders" search={{ wallet: address ?? wallet }} className={buttonClass()}>
        Orders
      </Link>
      <Link to="/operator/invoices" search={{ wallet: address ?? wallet }} className={buttonClass()}>
        Invoices
      </Link>
    </>
  )
}
