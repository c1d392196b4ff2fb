import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { Network, Plus } from 'lucide-react'
import { teamPagesQuery } from '../../api/teams.ts'
import { useOrganization } from '../../app/wallet.ts'
import { mayAct } from '../../app/wallet-rights.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { Page } from '../../ui/page.tsx'
import { CreateTeamDialog } from './create-team-dialog.tsx'
import { teamColumns } from './team-columns.tsx'

const route = getRouteApi('/app/teams')

/** The teams of an organization; for a team admin the own team. */
export function TeamsPage() {
  const { create: isCreating, ...filter } = route.useSearch()
  const navigate = route.useNavigate()
  const organization = useOrganization()
  const teams = usePagedRows(useInfiniteQuery(teamPagesQuery(organization.organizationId, filter)))
  const mayCreate = mayAct(organization, 'teams.manage')
  const setCreating = (isOpen: boolean) =>
    void navigate({
      to: '/teams',
      search: ({ create: _old, ...others }) => (isOpen ? { ...others, create: true } : others),
      replace: true,
    })
  const create = mayCreate ? (
    <Button kind="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={() => setCreating(true)}>
      Create team
    </Button>
  ) : null
  return (
    <Page title="Teams" description="Groups of members with a budget, limits, and keys of their own." actions={create}>
      <DataTable
        name="teams"
        label="Teams"
        columns={teamColumns}
        {...teams}
        rowId={({ id }) => id}
        usualSort="name"
        onOpen={({ id }) => void navigate({ to: '/teams/$teamId', params: { teamId: id }, search: true })}
        searchBox={{ label: 'Search teams', hint: 'Name' }}
        empty={
          <EmptyState icon={<Network size={24} aria-hidden="true" />} title="No teams yet" action={create}>
            Give departments or projects a shared budget and a cost center.
          </EmptyState>
        }
      />
      <Outlet />
      {mayCreate && isCreating === true ? <CreateTeamDialog onClose={() => setCreating(false)} /> : null}
    </Page>
  )
}
