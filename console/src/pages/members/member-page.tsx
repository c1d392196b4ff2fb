import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../api/api-error.ts'
import type { Layer } from '../../api/layers.ts'
import { changeMember, type Member, memberQuery } from '../../api/members.ts'
import { roleLabel } from '../../app/role-words.ts'
import { withStepUp } from '../../api/step-up.ts'
import { useOrganization } from '../../app/wallet.ts'
import { mayAct } from '../../app/wallet-rights.ts'
import { Button } from '../../ui/button.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { BudgetFigures } from '../../ui/budget-figures.tsx'
import { Facts, Section } from '../../ui/facts.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { AllowedModelsSummary } from '../allowed-models/allowed-models-summary.tsx'
import { BreakerSection } from '../budgets/breaker-section.tsx'
import { nameOf } from './member-columns.tsx'
import { changeOf, fieldsOf, type MemberFields } from './member-fields.ts'
import { MemberFormFields } from './member-form.tsx'
import { mayManageMember } from './may-manage-member.ts'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'
import { SuspendMemberButton } from './suspend-member-button.tsx'

/** One member, in a sheet over the list: role, team, budget, limits and keys. */
export function MemberPage() {
  const { memberId } = useParams({ from: '/app/members/$memberId' })
  const navigate = useNavigate()
  const organization = useOrganization()
  const member = useQuery(memberQuery(organization.organizationId, memberId))
  const [isRemoving, setRemoving] = useState(false)
  const close = () => void navigate({ to: '/members', search: true })
  const isMissing = member.error instanceof ApiError && member.error.status === 404
  const mayManage = member.data !== undefined && mayManageMember(organization, member.data)
  return (
    <Sheet
      isOpen
      title={member.data === undefined ? 'Member' : nameOf(member.data)}
      description={member.data?.user.email}
      onClose={close}
      actions={
        mayManage && member.data !== undefined ? (
          <>
            <Button kind="danger" onClick={() => setRemoving(true)}>
              Remove member…
            </Button>
            <SuspendMemberButton of={member.data} />
            <span className="flex-1" />
            <Button kind="primary" type="submit" form="member">
              Save changes
            </Button>
          </>
        ) : undefined
      }
    >
      {isMissing ? (
        <EmptyState title="Member not found">They left, or belong to another organization.</EmptyState>
      ) : member.error !== null ? (
        <ErrorNote error={member.error} onRetry={() => void member.refetch()} />
      ) : member.data === undefined ? (
        <Skeleton className="h-64 w-full" />
      ) : (
        <Details key={member.data.id} of={member.data} mayManage={mayManage} />
      )}
      {isRemoving && member.data !== undefined ? (
        <RemoveMemberDialog of={member.data} onClose={() => setRemoving(false)} onRemoved={close} />
      ) : null}
    </Sheet>
  )
}

function Details({ of: member, mayManage }: { readonly of: Member; readonly mayManage: boolean }) {
  const organization = useOrganization()
  const layer: Layer = { kind: 'member', orgId: organization.organizationId, id: member.id }
  const keys = Number(member.keyCount)
  return (
    <div className="flex flex-col gap-6">
      {member.suspended ? (
        <p className="rounded-md bg-raised px-3 py-2 text-sm">
          Suspended: neither this person nor their API keys have access. Budget, keys and history are kept.
        </p>
      ) : null}
      <Facts
        facts={[
          [
            'Spent this month',
            <BudgetFigures
              label="Monthly budget"
              spent={member.spendThisMonth}
              held={member.heldThisMonth}
              budget={member.monthlyBudget}
            />,
          ],
          [
            'API keys',
            keys === 0 ? (
              'None'
            ) : (
              <Link to="/keys" search={{ member: member.id }} className="text-accent-strong hover:underline">
                {keys.toLocaleString('en')}
              </Link>
            ),
          ],
          ['Joined', <Time iso={member.joinedAt} />],
          ...(mayAct(organization, 'reports.members') ? [requestsFact(member)] : []),
        ]}
      />
      <Section title="Role and budget">
        {mayManage ? (
          <MemberForm of={member} />
        ) : (
          <Facts
            facts={[
              ['Role', roleLabel(member.role)],
              ['Team', member.team?.name ?? 'None'],
            ]}
          />
        )}
      </Section>
      {mayAct(organization, 'allowedModels.read') ? <AllowedModelsSummary layer={layer} /> : null}
      {mayAct(organization, 'breaker.team') ? <BreakerSection layer={layer} mayChange={mayManage} /> : null}
    </div>
  )
}

function requestsFact({ id }: Member) {
  const link = (
    <Link to="/requests" search={{ member: id }} className="text-accent-strong hover:underline">
      View requests
    </Link>
  )
  return ['Requests', link] as const
}

function MemberForm({ of: member }: { readonly of: Member }) {
  const { organizationId } = useOrganization()
  const client = useQueryClient()
  const before = fieldsOf(member)
  const form = useForm<MemberFields>({ values: before, resetOptions: { keepDirtyValues: true } })
  const change = useMutation({
    mutationFn: (fields: MemberFields) =>
      withStepUp(() => changeMember(organizationId, member.id, changeOf(before, fields))),
    onSuccess: async ({ data }) => {
      client.setQueryData(memberQuery(organizationId, member.id).queryKey, data)
      toast(`${nameOf(member)} updated.`)
      await Promise.all([
        client.invalidateQueries({ queryKey: ['members', organizationId, 'list'] }),
        client.invalidateQueries({ queryKey: ['teams', organizationId] }),
      ])
    },
  })
  const submit = form.handleSubmit((fields) => {
    if (Object.keys(changeOf(before, fields)).length === 0) toast('Nothing to save.')
    else change.mutate(fields)
  })
  return (
    <form id="member" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
      {change.error === null ? null : <ErrorNote error={change.error} />}
      <MemberFormFields form={form} teamHint="Leaving a team revokes the keys they have for it." />
    </form>
  )
}
