import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { api, dataOf } from '../../api/client.ts'
import { exactUsd, toNano } from '../../lib/money.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { type Column, DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Money } from '../../ui/money.tsx'
import { Page } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'
import { CreateKeyDialog } from './create-key-dialog.tsx'

const listKeys = () => dataOf(api.GET('/v1/keys'))
type Key = Awaited<ReturnType<typeof listKeys>>['data'][number]

const columns: readonly Column<Key>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name }) => <span className="font-medium">{name}</span>,
    csv: ({ name }) => name,
  },
  {
    id: 'secret',
    header: 'Secret',
    cell: ({ keyPrefix, keySuffix }) => <code className="font-mono text-xs">{`${keyPrefix}…${keySuffix}`}</code>,
    csv: ({ keyPrefix, keySuffix }) => `${keyPrefix}…${keySuffix}`,
    width: 200,
  },
  { id: 'state', header: 'State', cell: stateOf, csv: ({ enabled }) => (enabled ? 'on' : 'off'), width: 120 },
  {
    id: 'spent',
    header: 'Spent',
    cell: ({ usage }) => <Money usd={usage} />,
    csv: ({ usage }) => exactUsd(toNano(usage)),
    align: 'right',
    width: 150,
  },
  {
    id: 'limit',
    header: 'Limit',
    cell: ({ limit, limit_reset }) =>
      limit === null ? (
        <span className="text-muted">none</span>
      ) : (
        <>
          <Money usd={limit} /> {limit_reset ?? ''}
        </>
      ),
    csv: ({ limit }) => (limit === null ? '' : exactUsd(toNano(limit))),
    align: 'right',
    width: 150,
  },
  {
    id: 'used',
    header: 'Last used',
    cell: ({ lastUsed }) => <Time iso={lastUsed} />,
    csv: ({ lastUsed }) => lastUsed ?? '',
    width: 130,
  },
  {
    id: 'created',
    header: 'Created',
    cell: ({ createdAt }) => <Time iso={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    width: 130,
    isHidden: true,
  },
]

export function KeysPage() {
  const [isCreating, setCreating] = useState(false)
  const keys = useQuery({ queryKey: ['keys'], queryFn: listKeys })
  const create = (
    <Button kind="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
      Create key
    </Button>
  )
  return (
    <Page title="Keys" description="Each key is one program's way in. Its secret is shown once." actions={create}>
      <DataTable
        name="keys"
        label="Keys"
        columns={columns}
        rows={keys.data?.data}
        rowId={({ id }) => id}
        error={keys.error}
        onRetry={() => void keys.refetch()}
        summary={keys.data === undefined ? undefined : `${keys.data.total_count} keys`}
        empty={
          <EmptyState icon={<KeyRound size={24} aria-hidden="true" />} title="No keys yet" action={create}>
            A key lets a program call models and charges your wallet. Give it a spend limit and it can never cost more.
          </EmptyState>
        }
      />
      {isCreating ? <CreateKeyDialog onClose={() => setCreating(false)} /> : null}
    </Page>
  )
}

function stateOf({ enabled, expiresAt }: Key) {
  if (expiresAt !== null && Date.parse(expiresAt) <= Date.now()) return <Badge tone="warn">expired</Badge>
  return enabled ? <Badge tone="good">active</Badge> : <Badge>off</Badge>
}
