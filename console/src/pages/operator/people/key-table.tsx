import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { type OperatorKey, operatorKeysQuery, revokeOperatorKey } from '../../../api/operator-people.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/column.ts'
import { ConfirmDialog } from '../../../ui/confirm-dialog.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Time } from '../../../ui/time.tsx'
import { toast } from '../../../ui/toast.tsx'
import { roleColumn } from './role-column.tsx'

/** The keys of machines. Only the command line creates them, so no browser ever holds one. */
export function KeyTable() {
  const keys = useQuery(operatorKeysQuery)
  return (
    <DataTable
      name="operator-keys"
      label="Operator keys"
      columns={columns}
      rows={keys.data}
      rowId={({ id }) => id}
      error={keys.error}
      onRetry={() => void keys.refetch()}
      empty={
        <EmptyState icon={<KeyRound size={24} aria-hidden="true" />} title="No operator keys yet">
          Keys of scripts that call the operator API appear here.
        </EmptyState>
      }
    />
  )
}

const columns: readonly Column<OperatorKey>[] = [
  { id: 'name', header: 'Name', cell: ({ name }) => name, csv: ({ name }) => name, onPhone: 'title' },
  {
    id: 'key',
    header: 'Key',
    cell: ({ hint }) => <code className="font-mono text-xs">{hint}</code>,
    csv: ({ hint }) => hint,
    width: 180,
  },
  roleColumn,
  {
    id: 'state',
    header: 'Status',
    cell: (key) => <State of={key} />,
    csv: ({ revoked, enabled }) => (revoked ? 'Revoked' : enabled ? 'Active' : 'Disabled'),
    width: 110,
    onPhone: 'figure',
  },
  {
    id: 'expires',
    header: 'Expires',
    cell: ({ expiresAt }) =>
      expiresAt === null ? <span className="text-muted">Never</span> : <Time iso={expiresAt} />,
    csv: ({ expiresAt }) => expiresAt ?? '',
    width: 130,
  },
  {
    id: 'created',
    header: 'Created',
    cell: ({ createdAt }) => <Time iso={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    width: 130,
  },
  {
    id: 'actions',
    header: 'Actions',
    cell: (key) => (key.revoked ? null : <Revoke of={key} />),
    align: 'right',
    width: 110,
  },
]

function State({ of: { revoked, enabled } }: { readonly of: OperatorKey }) {
  if (revoked) return <Badge>Revoked</Badge>
  return enabled ? <Badge tone="good">Active</Badge> : <Badge tone="warn">Disabled</Badge>
}

function Revoke({ of: { id, name } }: { readonly of: OperatorKey }) {
  const client = useQueryClient()
  const [isAsked, setAsked] = useState(false)
  const revocation = useMutation({
    mutationFn: () => revokeOperatorKey(id),
    onSuccess: async () => {
      setAsked(false)
      toast(`${name} revoked.`)
      await client.invalidateQueries({ queryKey: operatorKeysQuery.queryKey })
    },
  })
  return (
    <>
      <Button size="small" onClick={() => setAsked(true)}>
        Revoke…
      </Button>
      {isAsked ? (
        <ConfirmDialog
          title={`Revoke ${name}?`}
          text="Scripts with this key get 401 at once. A revoked key never works again."
          act="Revoke key"
          mutation={{ ...revocation, mutate: () => revocation.mutate() }}
          onClose={() => setAsked(false)}
        />
      ) : null}
    </>
  )
}
