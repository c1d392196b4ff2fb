import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { Contact, Plus } from 'lucide-react'
import { useState } from 'react'
import { endCustomersQuery } from '../../api/end-customers.ts'
import { DocsLink } from '../../app/docs-link.tsx'
import { useWallet } from '../../app/wallet.ts'
import { mayChangeCustomers } from '../../app/wallet-rights.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { Page } from '../../ui/page.tsx'
import { AddCustomerDialog } from './add-customer-dialog.tsx'
import { CustomerDefaultsDialog } from './customer-defaults-dialog.tsx'
import { customerColumns } from './customer-columns.tsx'

const route = getRouteApi('/app/customers')

/** The customers of a product that calls models with the wallet, with their spend and limits. */
export function CustomersPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const wallet = useWallet()
  // In the URL, so that the command palette opens the dialog as well.
  const setCreating = (isOpen: boolean) =>
    void navigate({
      to: '/customers',
      search: ({ create: _old, ...others }) => (isOpen ? { ...others, create: true } : others),
      replace: true,
    })
  const customers = usePagedRows(useInfiniteQuery(endCustomersQuery(wallet, search)))
  const mayChange = mayChangeCustomers(wallet)
  const [isDefaults, setDefaults] = useState(false)
  const actions = mayChange ? (
    <>
      <Button onClick={() => setDefaults(true)}>Defaults…</Button>
      <AddButton onClick={() => setCreating(true)} />
    </>
  ) : null
  const add = mayChange ? <AddButton onClick={() => setCreating(true)} /> : null
  return (
    <Page title="Customers" description="The customers of your product, with their spend and limits." actions={actions}>
      <DataTable
        name="own-customers"
        label="Customers"
        columns={customerColumns}
        {...customers}
        rowId={({ id }) => id}
        usualSort="-created"
        onOpen={({ id }) =>
          void navigate({ to: '/customers/$customerId/details', params: { customerId: id }, search: true })
        }
        searchBox={{ label: 'Search customers', hint: 'Beginning of an ID' }}
        empty={
          <EmptyState icon={<Contact size={24} aria-hidden="true" />} title="No customers yet" action={add}>
            Name your customer in the header <code className="font-mono text-xs">X-Weir-Customer</code> of a request,
            with an ID of your own. The first request creates the customer.{' '}
            <DocsLink to="api#limit-what-your-customers-spend">How to limit what your customers spend</DocsLink>
          </EmptyState>
        }
      />
      <Outlet />
      {mayChange && search.create === true ? <AddCustomerDialog onClose={() => setCreating(false)} /> : null}
      {isDefaults ? <CustomerDefaultsDialog onClose={() => setDefaults(false)} /> : null}
    </Page>
  )
}

function AddButton({ onClick }: { readonly onClick: () => void }) {
  return (
    <Button kind="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={onClick}>
      Add customer
    </Button>
  )
}
