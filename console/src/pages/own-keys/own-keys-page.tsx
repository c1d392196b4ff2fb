import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { Cable, Plus } from 'lucide-react'
import { ownKeysQuery } from '../../api/own-keys.ts'
import { useOrganization } from '../../app/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { AddOwnKeyDialog } from './add-own-key-dialog.tsx'
import { ownKeyColumns } from './own-key-columns.tsx'

const route = getRouteApi('/app/own-keys')

/** The organization's own keys at providers, with their health. */
export function OwnKeysPage() {
  const { create: isCreating } = route.useSearch()
  const navigate = route.useNavigate()
  const { organizationId } = useOrganization()
  const keys = useQuery(ownKeysQuery(organizationId))
  const setCreating = (isOpen: boolean) =>
    void navigate({ to: '/own-keys', search: isOpen ? { create: true } : {}, replace: true })
  const add = (
    <Button kind="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
      Add key
    </Button>
  )
  return (
    <Page
      title="Own keys"
      description="Send requests to a provider with your own account there. The provider bills you, and Weir charges nothing."
      actions={add}
    >
      <DataTable
        name="own-keys"
        label="Own keys"
        columns={ownKeyColumns}
        rows={keys.data?.data}
        rowId={({ id }) => id}
        error={keys.error}
        onRetry={() => void keys.refetch()}
        onOpen={({ id }) => void navigate({ to: '/own-keys/$ownKeyId', params: { ownKeyId: id } })}
        empty={
          <EmptyState icon={<Cable size={24} aria-hidden="true" />} title="No own keys yet" action={add}>
            Add the API key of an account that your organization has with a provider.
          </EmptyState>
        }
      />
      <Outlet />
      {isCreating === true ? (
        <AddOwnKeyDialog organizationId={organizationId} onClose={() => setCreating(false)} />
      ) : null}
    </Page>
  )
}
