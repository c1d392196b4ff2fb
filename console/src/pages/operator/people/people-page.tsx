import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { type OperatorPerson, operatorPeopleQuery } from '../../../api/operator-people.ts'
import { Badge } from '../../../ui/badge.tsx'
import { Button } from '../../../ui/button.tsx'
import type { Column } from '../../../ui/column.ts'
import { DataTable } from '../../../ui/data-table.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Page } from '../../../ui/page.tsx'
import { Time } from '../../../ui/time.tsx'
import { AddOperatorDialog } from './add-operator-dialog.tsx'
import { KeyTable } from './key-table.tsx'
import { OperatorMenu } from './operator-menu.tsx'
import { roleColumn } from './role-column.tsx'

/** The people who operate the platform, and the keys of machines. */
export function OperatorPeoplePage() {
  const people = useQuery(operatorPeopleQuery)
  const [isAdding, setAdding] = useState(false)
  return (
    <Page
      title="Operators"
      description="People with a role, and keys for machines. Every change they make is in the audit log under their name."
      actions={
        <Button kind="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={() => setAdding(true)}>
          Add operator
        </Button>
      }
    >
      <div className="flex flex-col gap-8">
        <DataTable
          name="operators"
          label="Operators"
          columns={columns}
          rows={people.data}
          rowId={({ userId }) => userId}
          error={people.error}
          onRetry={() => void people.refetch()}
          empty={<EmptyState title="No operators yet">Add a person who has an account.</EmptyState>}
        />
        <section aria-labelledby="operator-keys">
          <h2 id="operator-keys" className="font-semibold">
            Keys for machines
          </h2>
          <p className="mt-1 mb-3 text-muted text-sm">
            Scripts call the operator API with a key. Create one on the server with{' '}
            <code className="font-mono text-xs">weir operator key create</code>.
          </p>
          <KeyTable />
        </section>
      </div>
      {isAdding ? <AddOperatorDialog onClose={() => setAdding(false)} /> : null}
    </Page>
  )
}

const columns: readonly Column<OperatorPerson>[] = [
  { id: 'email', header: 'Email', cell: ({ email }) => email, csv: ({ email }) => email, onPhone: 'title' },
  { id: 'name', header: 'Name', cell: ({ name }) => name, csv: ({ name }) => name },
  roleColumn,
  {
    id: 'state',
    header: 'Status',
    cell: (person) => <State of={person} />,
    csv: ({ suspended, hasSecondFactor }) =>
      suspended ? 'Suspended' : hasSecondFactor ? 'Active' : 'No second factor',
    width: 150,
    onPhone: 'figure',
  },
  {
    id: 'added',
    header: 'Added',
    cell: ({ addedAt }) => <Time iso={addedAt} />,
    csv: ({ addedAt }) => addedAt,
    width: 130,
  },
  { id: 'menu', header: 'Actions', cell: (person) => <OperatorMenu person={person} />, align: 'right', width: 90 },
]

function State({ of: { suspended, hasSecondFactor } }: { readonly of: OperatorPerson }) {
  if (suspended) return <Badge tone="bad">Suspended</Badge>
  if (hasSecondFactor) return <Badge tone="good">Active</Badge>
  return (
    <Badge tone="warn" hint="The person can operate after setting up an authenticator app or a passkey.">
      No second factor
    </Badge>
  )
}
