import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { GraduationCap, Plus } from 'lucide-react'
import { institutionKeysQuery } from '../../api/institutions.ts'
import { useOrganization } from '../../app/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'
import { institutionColumns } from './institution-columns.tsx'
import { InstitutionDialog } from './institution-dialog.tsx'
import { NoMailNote } from './no-mail-note.tsx'

const route = getRouteApi('/app/institutions')

/** The institution keys of an organization. */
export function InstitutionsPage() {
  const { create: isCreating } = route.useSearch()
  const navigate = route.useNavigate()
  const { organizationId, name } = useOrganization()
  const keys = useQuery(institutionKeysQuery(organizationId))
  const setCreating = (isOpen: boolean) => void navigate({ search: isOpen ? { create: true } : {}, replace: true })
  const create = (
    <Button kind="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
      Create key
    </Button>
  )
  return (
    <Page
      title="Institution keys"
      description={`Let people use models with a code sent to their email address. ${name} pays for their requests.`}
      actions={create}
    >
      <NoMailNote />
      <DataTable
        name="institution-keys"
        label="Institution keys"
        columns={institutionColumns}
        rows={keys.data?.data}
        rowId={({ id }) => id}
        error={keys.error}
        onRetry={() => void keys.refetch()}
        onOpen={({ id }) => void navigate({ to: '/institutions/$keyId', params: { keyId: id } })}
        empty={
          <EmptyState
            icon={<GraduationCap size={24} aria-hidden="true" />}
            title="No institution keys yet"
            action={create}
          >
            For a university, a school, or a library: everyone with an address in your domain can sign in, without an
            API key.
          </EmptyState>
        }
      />
      {isCreating === true ? (
        <InstitutionDialog organizationId={organizationId} of={null} onClose={() => setCreating(false)} />
      ) : null}
    </Page>
  )
}
