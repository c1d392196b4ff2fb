import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { optionalAmountBody } from '../../api/amount-body.ts'
import { changeTeam, type Team, teamPagesQuery } from '../../api/teams.ts'
import { BacktestNote } from '../../app/backtest-note.tsx'
import { useOrganization } from '../../app/wallet.ts'
import { reachOf } from '../../app/wallet-rights.ts'
import { plural } from '../../lib/plural.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type AppliedBudget, appliedBudget } from './binding-limit.ts'
import { breakerInWords } from './breaker-words.ts'
import { MemberScopes } from './member-scopes.tsx'
import { ScopeRow } from './scope-row.tsx'

/** The teams, then the members without a team. The members of a team are read once it is opened. */
export function TeamScopes({ wider }: { readonly wider: readonly AppliedBudget[] }) {
  const organization = useOrganization()
  const teams = useInfiniteQuery(teamPagesQuery(organization.organizationId))
  const rows = teams.data?.pages.flatMap(({ data }) => data)
  return (
    <>
      {teams.error === null ? null : <ErrorNote error={teams.error} onRetry={() => void teams.refetch()} />}
      {rows === undefined && teams.error === null ? <Skeleton className="m-4 h-24" /> : null}
      {rows?.map((team) => (
        <TeamScope key={team.id} of={team} wider={wider} />
      ))}
      {teams.hasNextPage ? (
        <div className="border-line border-b px-4 py-2 pl-12">
          <Button size="small" isBusy={teams.isFetchingNextPage} onClick={() => void teams.fetchNextPage()}>
            Show more teams
          </Button>
        </div>
      ) : null}
      {rows !== undefined && reachOf(organization, 'members.read') === 'organization' ? (
        <Unplaced wider={wider} />
      ) : null}
    </>
  )
}

function TeamScope({ of: team, wider }: { readonly of: Team; readonly wider: readonly AppliedBudget[] }) {
  const { organizationId } = useOrganization()
  const client = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const figures = { budget: team.monthlyBudget, spent: team.spendThisMonth, held: team.heldThisMonth }
  const applied = [...wider, ...appliedBudget(`monthly budget of ${team.name}`, figures)]
  const layer = { kind: 'team', orgId: organizationId, id: team.id } as const
  const save = async (text: string) => {
    await changeTeam(organizationId, team.id, { monthlyBudget: optionalAmountBody(text) })
    await client.invalidateQueries({ queryKey: ['teams', organizationId] })
  }
  return (
    <>
      <ScopeRow
        name={team.name}
        depth={1}
        label={
          <>
            <Link
              to="/teams/$teamId"
              params={{ teamId: team.id }}
              className="block truncate rounded font-medium hover:underline"
            >
              {team.name}
            </Link>
            <span className="block text-muted text-xs">{plural(Number(team.memberCount), 'member')}</span>
          </>
        }
        budgets={[
          {
            period: 'Monthly',
            ...figures,
            onSave: save,
            preview: (text) => <BacktestNote layer={layer} draft={{ monthlyBudget: text }} />,
          },
        ]}
        breaker={breakerInWords(team.breaker)}
        applied={applied}
        isOpen={isOpen}
        onToggle={Number(team.memberCount) === 0 ? undefined : () => setOpen(!isOpen)}
      />
      {isOpen ? <MemberScopes team={team.id} wider={applied} /> : null}
    </>
  )
}

function Unplaced({ wider }: { readonly wider: readonly AppliedBudget[] }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <ScopeRow
        name="members without a team"
        depth={1}
        label={<span className="font-medium">Without a team</span>}
        budgets={[]}
        breaker=""
        applied={wider}
        isOpen={isOpen}
        onToggle={() => setOpen(!isOpen)}
      />
      {isOpen ? <MemberScopes team="none" wider={wider} /> : null}
    </>
  )
}
