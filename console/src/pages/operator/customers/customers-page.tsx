import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { UsersRound } from 'lucide-react'
import { customersQuery } from '../../../api/customers.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import type { FilterField } from '../../../ui/filter-field.ts'
import { Page } from '../../../ui/page.tsx'
import { usePagedRows } from '../../../ui/paged-rows.ts'
import { customerColumns } from './customer-columns.tsx'
import type { CustomersSearch } from './search.ts'

const route = getRouteApi('/app/operator/customers')

const fields: readonly FilterField[] = [
  {
    name: 'kind',
    label: 'Type',
    type: 'choice',
    choices: [
      { value: 'user', label: 'User' },
      { value: 'organization', label: 'Organization' },
    ],
  },
  {
    name: 'status',
    label: 'Status',
    type: 'choice',
    choices: [
      { value: 'active', label: 'Active' },
      { value: 'suspended', label: 'Suspended' },
    ],
  },
]

/** All users and organizations, found by email, name, slug, id or key. */
export function CustomersPage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const customers = usePagedRows(useInfiniteQuery(customersQuery(filterOf(search))))
  return (
    <Page title="Customers" description="Users and organizations with their balance, newest first.">
      <DataTable
        name="customers"
        label="All customers"
        columns={customerColumns}
        rowsName="customers"
        {...customers}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/operator/customers/$customerId', params: { customerId: id } })}
        searchBox={{ label: 'Search customers', hint: 'Email, name, slug, ID, or key' }}
        fields={fields}
        empty={
          <EmptyState icon={<UsersRound size={24} aria-hidden="true" />} title="No customers yet">
            Users appear here after sign-up, and organizations when they are created.
          </EmptyState>
        }
      />
    </Page>
  )
}

function filterOf({ q, kind, status }: CustomersSearch) {
  return {
    ...(q === undefined ? {} : { q }),
    ...(kind === undefined ? {} : { kind }),
    ...(status === undefined ? {} : { suspended: status === 'suspended' ? ('true' as const) : ('false' as const) }),
  }
}
