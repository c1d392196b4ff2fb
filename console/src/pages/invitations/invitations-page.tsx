import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { MailPlus } from 'lucide-react'
import { invitationsQuery } from '../../api/invitations.ts'
import { TabFrame } from '../../app/tab-frame.tsx'
import { useOrganization } from '../../app/wallet.ts'
import { mayAct } from '../../app/wallet-rights.ts'
import { Button } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import type { FilterField } from '../../ui/filter-field.ts'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { InviteDialog } from '../members/invite-dialog.tsx'
import { invitationColumns, statusWords } from './invitation-columns.tsx'
import { statuses } from './search.ts'

const route = getRouteApi('/app/invitations')

const fields: readonly FilterField[] = [
  {
    name: 'status',
    label: 'Status',
    type: 'choice',
    isOpen: true,
    choices: statuses.map((status) => ({ value: status, label: statusWords[status][0] })),
  },
]

/** The invitations to an organization; for a team admin those to the own team. */
export function InvitationsPage() {
  const { invite: isInviting, ...filter } = route.useSearch()
  const navigate = route.useNavigate()
  const organization = useOrganization()
  const invitations = usePagedRows(useInfiniteQuery(invitationsQuery(organization.organizationId, filter)))
  const setInviting = (isOpen: boolean) =>
    void navigate({
      to: '/invitations',
      search: ({ invite: _old, ...others }) => (isOpen ? { ...others, invite: true } : others),
      replace: true,
    })
  const mayManage = mayAct(organization, 'members.manage')
  const action = mayManage ? (
    <Button kind="primary" icon={<MailPlus size={16} aria-hidden="true" />} onClick={() => setInviting(true)}>
      Invite
    </Button>
  ) : null
  return (
    <TabFrame
      title="Members"
      tab="Invitations"
      description={`People invited to ${organization.name}.`}
      actions={action}
    >
      <DataTable
        name="invitations"
        label="Invitations"
        columns={invitationColumns}
        {...invitations}
        rowId={({ id }) => id}
        searchBox={{ label: 'Search invitations', hint: 'Email address or domain' }}
        fields={fields}
        empty={
          <EmptyState icon={<MailPlus size={24} aria-hidden="true" />} title="No invitations yet" action={action}>
            Invite people by email, or share a link.
          </EmptyState>
        }
      />
      {mayManage && isInviting === true ? <InviteDialog onClose={() => setInviting(false)} /> : null}
    </TabFrame>
  )
}
