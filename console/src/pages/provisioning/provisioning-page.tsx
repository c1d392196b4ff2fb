import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus, TriangleAlert } from 'lucide-react'
import { useState } from 'react'
import { hasVerifiedDomainQuery, type Provisioning, provisioningQuery } from '../../api/provisioning.ts'
import { useOrganization } from '../../app/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Facts } from '../../ui/facts.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { failureColumns } from './failure-columns.tsx'
import { TokenDialog } from './token-dialog.tsx'
import { TokenTable } from './token-table.tsx'

/** How a directory provisions the members of an organization. */
export function ProvisioningPage() {
  const { organizationId } = useOrganization()
  const [isCreating, setCreating] = useState(false)
  const state = useQuery(provisioningQuery(organizationId))
  const create = (
    <Button kind="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
      Create token
    </Button>
  )
  return (
    <Page
      title="Provisioning"
      description="Let your directory, such as Entra ID or Okta, add, change and deactivate members with SCIM 2.0."
      actions={create}
    >
      <NoDomainNote organizationId={organizationId} />
      {state.data === undefined ? (
        state.error === null ? (
          <Skeleton className="mb-6 h-28 w-full" />
        ) : null
      ) : (
        <div className="mb-6">
          <StateCard of={state.data} />
        </div>
      )}
      <h2 className="mb-2 font-semibold text-sm">Tokens</h2>
      <TokenTable
        organizationId={organizationId}
        tokens={state.data?.tokens}
        error={state.error}
        onRetry={() => void state.refetch()}
        empty={
          <EmptyState icon={<KeyRound size={24} aria-hidden="true" />} title="No tokens yet" action={create}>
            Enter the base URL and a token in your directory.
          </EmptyState>
        }
      />
      {state.data === undefined || state.data.failures.length === 0 ? null : <Failures of={state.data} />}
      {isCreating ? <TokenDialog organizationId={organizationId} onClose={() => setCreating(false)} /> : null}
    </Page>
  )
}

function StateCard({ of: state }: { readonly of: Provisioning }) {
  const { baseUrl, people, activePeople, groups, lastSyncAt } = state
  const url = baseUrl ?? `${window.location.origin}/scim/v2`
  return (
    <Card>
      <Facts
        facts={[
          [
            'Base URL',
            <span key="url" className="flex items-center gap-1">
              <code className="min-w-0 break-all font-mono text-xs">{url}</code>
              <CopyButton text={url} label="Copy base URL" />
            </span>,
          ],
          ['Last sync', lastSyncAt === null ? 'Never' : <Time key="sync" iso={lastSyncAt} />],
          ['Provisioned members', Number(people).toLocaleString('en')],
          ['Active', Number(activePeople).toLocaleString('en')],
          ['Groups', Number(groups).toLocaleString('en')],
        ]}
      />
    </Card>
  )
}

function Failures({ of: { failures } }: { readonly of: Provisioning }) {
  return (
    <>
      <h2 className="mt-6 mb-2 font-semibold text-sm">Recent errors</h2>
      <DataTable
        name="provisioning-errors"
        label="Recent errors"
        columns={failureColumns}
        rows={failures}
        rowId={({ at, request }) => `${at} ${request}`}
        error={null}
        empty={null}
      />
    </>
  )
}

/** Without a verified domain, the directory can add no one. */
function NoDomainNote({ organizationId }: { readonly organizationId: string }) {
  const { data: hasDomain } = useQuery(hasVerifiedDomainQuery(organizationId))
  if (hasDomain !== false) return null
  return (
    <p role="alert" className="mb-4 flex items-start gap-2 rounded-md bg-warn-soft px-4 py-3 text-sm">
      <TriangleAlert size={16} className="mt-0.5 shrink-0 text-warn" aria-hidden="true" />
      This organization has no verified domain yet. Your directory can only add people with an address in one.
    </p>
  )
}
