import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Plus, Server } from 'lucide-react'
import { useState } from 'react'
import { type Provider, providersQuery } from '../../../api/supply.ts'
import { useMayOperate } from '../../../app/use-operator.ts'
import { Button } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/column.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { AddProviderDialog } from './add-provider-dialog.tsx'
import { ProviderState } from './provider-state.tsx'

/** The platform's accounts with providers. */
export function ProvidersPage() {
  const navigate = useNavigate()
  const [isAdding, setAdding] = useState(false)
  const providers = useQuery(providersQuery)
  const add = useMayOperate()('operators.providers') ? (
    <Button kind="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={() => setAdding(true)}>
      Add account
    </Button>
  ) : null
  return (
    <Page
      title="Providers"
      description="The platform's accounts with providers, and whether gateways send requests to them."
      actions={add}
    >
      <DataTable
        name="providers"
        label="Provider accounts"
        columns={columns}
        rows={providers.data}
        rowId={({ id }) => id}
        error={providers.error}
        onRetry={() => void providers.refetch()}
        onOpen={({ name }) => void navigate({ to: '/operator/providers/$accountName', params: { accountName: name } })}
        empty={
          <EmptyState icon={<Server size={24} aria-hidden="true" />} title="No provider accounts yet" action={add}>
            An account holds the key that the gateway uses at a provider.
          </EmptyState>
        }
      />
      {isAdding ? <AddProviderDialog onClose={() => setAdding(false)} /> : null}
    </Page>
  )
}

const columns: readonly Column<Provider>[] = [
  {
    id: 'name',
    header: 'Account',
    cell: ({ name }) => (
      <Link
        to="/operator/providers/$accountName"
        params={{ accountName: name }}
        className="rounded font-medium hover:underline"
      >
        {name}
      </Link>
    ),
    csv: ({ name }) => name,
    sort: (one, other) => one.name.localeCompare(other.name),
    onPhone: 'title',
  },
  { id: 'vendor', header: 'Provider', cell: ({ vendor }) => vendor, csv: ({ vendor }) => vendor, width: 130 },
  {
    id: 'state',
    header: 'Status',
    cell: (provider) => <ProviderState of={provider} />,
    csv: ({ enabled, health }) => (enabled ? health.state : 'disabled'),
    width: 100,
    onPhone: 'figure',
  },
  {
    id: 'reason',
    header: 'Circuits',
    cell: ({ health }) => <Circuits health={health} />,
    csv: ({ health }) => health.reason ?? '',
  },
  {
    id: 'key',
    header: 'Key',
    cell: ({ hasKey }) => (hasKey ? 'Stored' : 'None'),
    csv: ({ hasKey }) => String(hasKey),
    width: 90,
  },
  {
    id: 'weight',
    header: 'Weight',
    cell: ({ weight }) => String(weight),
    csv: ({ weight }) => String(weight),
    align: 'right',
    width: 90,
  },
  {
    id: 'discount',
    header: 'Discount',
    cell: ({ discountPercent }) => `${discountPercent} %`,
    csv: ({ discountPercent }) => String(discountPercent),
    align: 'right',
    width: 100,
  },
]

function Circuits({ health: { state, reason, since } }: { readonly health: Provider['health'] }) {
  if (state === 'ok') return <span className="text-muted">Closed</span>
  return (
    <span title={reason ?? ''}>
      {reason}, <Time iso={since ?? null} />
    </span>
  )
}
