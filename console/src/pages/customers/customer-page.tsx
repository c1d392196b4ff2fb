import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { type EndCustomer, endCustomerQuery } from '../../api/end-customers.ts'
import { useWallet } from '../../app/wallet.ts'
import { mayChangeCustomers } from '../../app/wallet-rights.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Facts, Section } from '../../ui/facts.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { CustomerBalance } from './customer-balance.tsx'
import { CustomerLimitList } from './customer-limit-list.tsx'
import { CustomerSpend } from './customer-spend.tsx'
import { CustomerState } from './customer-state.tsx'
import { CustomerStatement } from './customer-statement.tsx'
import { CustomerTokens } from './customer-tokens.tsx'
import { EditCustomerDialog } from './edit-customer-dialog.tsx'
import { percentText } from './markup.ts'
import { SuspendCustomerDialog } from './suspend-customer-dialog.tsx'

/** One customer, in a sheet over the list: limits, usage and actions. */
export function CustomerPage() {
  const { customerId } = useParams({ from: '/app/customers/$customerId/details' })
  const navigate = useNavigate()
  const wallet = useWallet()
  const customer = useQuery(endCustomerQuery(wallet, customerId))
  const { data, error } = customer
  const isMissing = error instanceof ApiError && error.status === 404
  return (
    <Sheet
      isOpen
      title={data?.name ?? data?.id ?? 'Customer'}
      description={
        <span className="flex items-center gap-1 font-mono text-xs">
          <span className="truncate">{customerId}</span>
          <CopyButton text={customerId} label="Copy customer ID" />
        </span>
      }
      onClose={() => void navigate({ to: '/customers', search: true })}
      actions={data === undefined || !mayChangeCustomers(wallet) ? undefined : <Actions of={data} />}
    >
      {isMissing ? (
        <EmptyState title="Customer not found">It was never named in a request or added here.</EmptyState>
      ) : error !== null ? (
        <ErrorNote error={error} onRetry={() => void customer.refetch()} />
      ) : data === undefined ? (
        <Skeleton className="h-64 w-full" />
      ) : (
        <div className="flex flex-col gap-6">
          <Facts
            facts={[
              ['Status', <CustomerState of={data} />],
              [
                'Requests',
                <Link
                  to="/requests"
                  search={{ customer: data.id, period: '90d' }}
                  className="underline decoration-line-strong underline-offset-4 hover:decoration-accent"
                >
                  {Number(data.requests).toLocaleString('en')}
                </Link>,
              ],
              [
                'Markup',
                data.markup_basis_points === null ? 'Your default' : `${percentText(data.markup_basis_points)}%`,
              ],
              ['Created', <Time iso={data.created_at} />],
            ]}
          />
          <Section title="Balance">
            <CustomerBalance of={data} mayChange={mayChangeCustomers(wallet)} />
          </Section>
          <Section title="Limits">
            <CustomerLimitList of={data} />
          </Section>
          <Section title="Usage">
            <CustomerSpend customerId={customerId} />
          </Section>
          <Section title="Statement">
            <CustomerStatement customerId={customerId} />
          </Section>
          <Section title="Tokens">
            <CustomerTokens customerId={customerId} mayChange={mayChangeCustomers(wallet)} />
          </Section>
        </div>
      )}
    </Sheet>
  )
}

function Actions({ of: customer }: { readonly of: EndCustomer }) {
  const [asked, setAsked] = useState<'edit' | 'suspend' | null>(null)
  const close = () => setAsked(null)
  return (
    <>
      <Button kind={customer.suspended ? 'plain' : 'danger'} onClick={() => setAsked('suspend')}>
        {customer.suspended ? 'Resume…' : 'Suspend…'}
      </Button>
      <span className="flex-1" />
      <Button kind="primary" onClick={() => setAsked('edit')}>
        Edit…
      </Button>
      {asked === 'edit' ? <EditCustomerDialog of={customer} onClose={close} /> : null}
      {asked === 'suspend' ? <SuspendCustomerDialog of={customer} onClose={close} /> : null}
    </>
  )
}
