import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { ApiError } from '../../api/api-error.ts'
import type { Layer } from '../../api/layers.ts'
import { changeTeam, type Team, teamQuery } from '../../api/teams.ts'
import { useOrganization } from '../../app/wallet.ts'
import { mayAct, reachOf } from '../../app/wallet-rights.ts'
import { Button } from '../../ui/button.tsx'
import { BudgetFigures } from '../../ui/budget-figures.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Facts, Section } from '../../ui/facts.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toast.tsx'
import { AllowedModelsSummary } from '../allowed-models/allowed-models-summary.tsx'
import { BreakerSection } from '../budgets/breaker-section.tsx'
import { DeleteTeamDialog } from './delete-team-dialog.tsx'
import { type TeamFields, teamFieldsOf, teamTermsOf } from './team-fields.ts'
import { TeamDefaults } from './team-defaults.tsx'
import { TeamFormFields } from './team-form.tsx'
import { TeamMembers } from './team-members.tsx'

/** One team, in a sheet over the list: its terms, members and limits. */
export function TeamPage() {
  const { teamId } = useParams({ from: '/app/teams/$teamId' })
  const navigate = useNavigate()
  const organization = useOrganization()
  const team = useQuery(teamQuery(organization.organizationId, teamId))
  const [isDeleting, setDeleting] = useState(false)
  const close = () => void navigate({ to: '/teams', search: true })
  const isMissing = team.error instanceof ApiError && team.error.status === 404
  return (
    <Sheet
      isOpen
      title={team.data?.name ?? 'Team'}
      description={team.data?.description ?? undefined}
      onClose={close}
      actions={
        team.data === undefined ? undefined : (
          <>
            {mayAct(organization, 'teams.manage') ? (
              <Button kind="danger" onClick={() => setDeleting(true)}>
                Delete team…
              </Button>
            ) : null}
            <span className="flex-1" />
            <Button kind="primary" type="submit" form="team">
              Save changes
            </Button>
          </>
        )
      }
    >
      {isMissing ? (
        <EmptyState title="Team not found">It was deleted, or belongs to another organization.</EmptyState>
      ) : team.error !== null ? (
        <ErrorNote error={team.error} onRetry={() => void team.refetch()} />
      ) : team.data === undefined ? (
        <Skeleton className="h-64 w-full" />
      ) : (
        <Details key={team.data.id} of={team.data} />
      )}
      {isDeleting && team.data !== undefined ? (
        <DeleteTeamDialog of={team.data} onClose={() => setDeleting(false)} onDeleted={close} />
      ) : null}
    </Sheet>
  )
}

function Details({ of: team }: { readonly of: Team }) {
  const { organizationId } = useOrganization()
  const layer: Layer = { kind: 'team', orgId: organizationId, id: team.id }
  return (
    <div className="flex flex-col gap-6">
      <Facts
        facts={[
          [
            'Spent this month',
            <BudgetFigures
              label="Monthly budget"
              spent={team.spendThisMonth}
              held={team.heldThisMonth}
              budget={team.monthlyBudget}
            />,
          ],
          [
            'API keys',
            Number(team.keyCount) === 0 ? (
              'None'
            ) : (
              <Link to="/keys" search={{ team: team.id }} className="text-accent-strong hover:underline">
                {Number(team.keyCount).toLocaleString('en')}
              </Link>
            ),
          ],
          ['Created', <Time iso={team.createdAt} />],
        ]}
      />
      <Section title="Name and budget">
        <TeamForm of={team} />
      </Section>
      <TeamDefaults of={team} />
      <TeamMembers of={team} />
      <AllowedModelsSummary layer={layer} />
      <BreakerSection layer={layer} mayChange />
    </div>
  )
}

function TeamForm({ of: team }: { readonly of: Team }) {
  const organization = useOrganization()
  const { organizationId } = organization
  const client = useQueryClient()
  const isWhole = reachOf(organization, 'team.change') === 'organization'
  const form = useForm<TeamFields>({ values: teamFieldsOf(team), resetOptions: { keepDirtyValues: true } })
  const change = useMutation({
    mutationFn: (fields: TeamFields) => {
      const { description, monthlyBudget, ...others } = teamTermsOf(fields)
      return changeTeam(organizationId, team.id, { description, monthlyBudget, ...(isWhole ? others : {}) })
    },
    onSuccess: async ({ data }) => {
      client.setQueryData(teamQuery(organizationId, team.id).queryKey, data)
      toast(`${data.name} updated.`)
      await Promise.all([
        client.invalidateQueries({ queryKey: ['teams', organizationId, 'list'] }),
        client.invalidateQueries({ queryKey: ['teams', organizationId, 'all'] }),
        client.invalidateQueries({ queryKey: ['members', organizationId] }),
      ])
    },
  })
  const submit = form.handleSubmit((fields) => change.mutate(fields))
  return (
    <form id="team" className="flex flex-col gap-4" onSubmit={(event) => void submit(event)} noValidate>
      {change.error === null ? null : <ErrorNote error={change.error} />}
      <TeamFormFields form={form} isWhole={isWhole} />
    </form>
  )
}
