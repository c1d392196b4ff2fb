import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { getRouteApi, Outlet } from '@tanstack/react-router'
import { MailPlus, Plus, Users } from 'lucide-react'
import { useMemo, useState } from 'react'
import { membersQuery } from '../../api/members.ts'
import { teamsQuery } from '../../api/teams.ts'
import { TabFrame } from '../../app/tab-frame.tsx'
import { useOrganization } from '../../app/wallet.ts'
import { mayAct, reachOf } from '../../app/wallet-rights.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { FilterField } from '../../ui/filter-field.ts'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { AddMemberDialog } from './add-member-dialog.tsx'
import { InviteDialog } from './invite-dialog.tsx'
import { memberColumns } from './member-columns.tsx'

const route = getRouteApi('/app/members')

/** The members of an organization; for a team admin those of the own team. */
export function MembersPage() {
  const { add: isAdding, invite: isInviting, ...filter } = route.useSearch()
  const navigate = route.useNavigate()
  const organization = useOrganization()
  const members = usePagedRows(useInfiniteQuery(membersQuery(organization.organizationId, filter)))
  const fields = useFilterFields()
  const [address, setAddress] = useState('')
  const open = (dialog: 'add' | 'invite' | null) =>
    void navigate({
      to: '/members',
      search: ({ add: _add, invite: _invite, ...others }) => (dialog === null ? others : { ...others, [dialog]: true }),
      replace: true,
    })
  const inviteInstead = (email: string) => {
    setAddress(email)
    open('invite')
  }
  const mayManage = mayAct(organization, 'members.manage')
  const add = mayManage ? (
    <>
      <Button icon={<Plus size={16} aria-hidden="true" />} onClick={() => open('add')}>
        Add member
      </Button>
      <Button kind="primary" icon={<MailPlus size={16} aria-hidden="true" />} onClick={() => inviteInstead('')}>
        Invite
      </Button>
    </>
  ) : null
  return (
    <TabFrame
      title="Members"
      tab="Members"
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
            Invite people by email or link, and give each a role and a budget.
          </EmptyState>
        }
      />
      <Outlet />
      {mayManage && isAdding === true ? <AddMemberDialog onInvite={inviteInstead} onClose={() => open(null)} /> : null}
      {mayManage && isInviting === true ? <InviteDialog emails={address} onClose={() => open(null)} /> : null}
    </TabFrame>
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
