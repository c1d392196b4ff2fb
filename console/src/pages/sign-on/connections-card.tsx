import { useQuery } from '@tanstack/react-query'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { connectionsQuery } from '../../api/sign-on.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ConnectionRow } from './connection-row.tsx'
import { CopiedLine } from './copied-line.tsx'
import { OpenConnectionDialog } from './open-connection-dialog.tsx'

/** The identity providers of the organization, and what to enter there. */
export function ConnectionsCard({ organizationId }: { readonly organizationId: string }) {
  const connections = useQuery(connectionsQuery(organizationId))
  const [isAdding, setAdding] = useState(false)
  const add = (
    <Button icon={<Plus size={16} aria-hidden="true" />} onClick={() => setAdding(true)}>
      Add provider
    </Button>
  )
  const { data, error } = connections
  return (
    <Card title="Identity provider" description="Test it, enable it, then require it." aside={add}>
      <div className="flex flex-col gap-4">
        {error === null ? null : <ErrorNote error={error} onRetry={() => void connections.refetch()} />}
        {data === undefined ? (
          error === null ? (
            <Skeleton className="h-24 w-full" />
          ) : null
        ) : (
          <>
            <Addresses urls={data.urls} />
            {data.data.length === 0 ? (
              <EmptyState title="No identity provider yet">
                Register Weir at your provider with the addresses above, then add the provider here.
              </EmptyState>
            ) : (
              <ul className="flex flex-col divide-y divide-line">
                {data.data.map((connection) => (
                  <ConnectionRow key={connection.id} organizationId={organizationId} of={connection} />
                ))}
              </ul>
            )}
          </>
        )}
        {isAdding ? (
          <OpenConnectionDialog organizationId={organizationId} of={null} onClose={() => setAdding(false)} />
        ) : null}
      </div>
    </Card>
  )
}

interface Urls {
  readonly redirect: string
  readonly entityId: string
  readonly acs: string
}

function Addresses({ urls }: { readonly urls: Urls | null }) {
  if (urls === null) {
    return <p className="text-sm">This installation has no public URL. Ask its operator to set one.</p>
  }
  return (
    <div className="grid gap-3 rounded-md bg-raised p-3 sm:grid-cols-2">
      <CopiedLine label="Redirect URI (OpenID Connect)" text={urls.redirect} />
      <CopiedLine label="ACS URL (SAML)" text={urls.acs} />
      <CopiedLine label="Entity ID and metadata URL (SAML)" text={urls.entityId} />
    </div>
  )
}
