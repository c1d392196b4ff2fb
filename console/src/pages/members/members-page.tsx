import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { Plus, Users } from 'lucide-react'
import { useMemo } from 'react'
import { membersQuery } from '../../api/members.ts'
import { teamsQuery } from '../../api/teams.ts'
import { useOrganization } from '../../app/wallet.ts'
import { mayAct, reachOf } from '../../app/wallet-rights.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { FilterField } from '../../ui/filter-field.ts'
import { Page } from '../../ui/page.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { AddMemberDialog } from './add-member-dialog.tsx'
import { memberColumns } from './member-columns.tsx'

const route = getRouteApi('/app/members')

/** The members of an organization; for a team admin those of the own team. */
export function MembersPage() {
  const { add: isAdding, ...filter } = route.useSearch()
  const navigate = route.useNavigate()
  const organization = useOrganization()
  const members = usePagedRows(useInfiniteQuery(membersQuery(organization.organizationId, filter)))
  const fields = useFilterFields()
  const setAdding = (isOpen: boolean) =>
    void navigate({
      to: '/members',
      search: ({ add: _old, ...others }) => (isOpen ? { ...others, add: true } : others),
      replace: true,
    })
  const mayManage = mayAct(organization, 'members.manage')
  const add = mayManage ? (
    <Button kind="primary" icon={<Plus size={16} aria-hidden="true" />} onClick={() => setAdding(true)}>
      Add member
    </Button>
  ) : null
  return (
    <Page
      title="Members"
      description={`People who use ${organization.name}, with their role, team, and budget.`}
      actions={add}
    >
      <DataTable
        name="members"
        label="Members"
        columns={memberColumns}
        {...members}
        rowId={({ id }) => id}
        usualSort="joined"
        onOpen={({ id }) => void navigate({ to: '/members/$memberId', params: { memberId: id }, search: true })}
        searchBox={{ label: 'Search members', hint: 'Name or email address' }}
        fields={fields}
        empty={
          <EmptyState icon={<Users size={24} aria-hidden="true" />} title="No members yet" action={add}>
            Add people who already have an account, and give each a role and a budget.
          </EmptyState>
        }
      />
      <Outlet />
      {mayManage && isAdding === true ? <AddMemberDialog onClose={() => setAdding(false)} /> : null}
    </Page>
  )
}

/** The team, for those who see more than one, and who has spent nothing. */
function useFilterFields(): readonly FilterField[] {
  const organization = useOrganization()
  const seesTeams = reachOf(organization, 'teams.read') === 'organization'
  const teams = useQuery({ ...teamsQuery(organization.organizationId), enabled: seesTeams })
  return useMemo(() => {
    const choices = [
      { value: 'none', label: 'None' },
      ...(teams.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
    ]
    const idle: FilterField = { name: 'idle', label: 'No spend this month', type: 'flag' }
    return seesTeams ? [{ name: 'team', label: 'Team', type: 'choice', isOpen: true, choices }, idle] : [idle]
  }, [seesTeams, teams.data])
}
