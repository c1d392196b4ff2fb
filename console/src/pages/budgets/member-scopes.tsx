import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { optionalAmountBody } from '../../api/amount-body.ts'
import { changeMember, type Member, membersQuery } from '../../api/members.ts'
import { roleLabel } from '../../app/role-words.ts'
import { BacktestNote } from '../../app/backtest-note.tsx'
import { useOrganization } from '../../app/wallet.ts'
import { Button } from '../../ui/button.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { nameOf } from '../members/member-columns.tsx'
import { mayManageMember } from '../members/may-manage-member.ts'
import { type AppliedBudget, appliedBudget } from './binding-limit.ts'
import { breakerInWords } from './breaker-words.ts'
import { ScopeRow } from './scope-row.tsx'

/** The members of a team, or those without one, page by page. */
export function MemberScopes({ team, wider }: { readonly team: string; readonly wider: readonly AppliedBudget[] }) {
  const { organizationId } = useOrganization()
  const members = useInfiniteQuery(membersQuery(organizationId, { team }))
  const rows = members.data?.pages.flatMap(({ data }) => data)
  if (members.error !== null) return <ErrorNote error={members.error} onRetry={() => void members.refetch()} />
  if (rows === undefined) return <Skeleton className="m-4 h-16" />
  return (
    <>
      {rows.length === 0 ? (
        <p className="border-line border-b px-4 py-3 pl-16 text-muted text-sm">Every member has a team.</p>
      ) : null}
      {rows.map((member) => (
        <MemberScope key={member.id} of={member} wider={wider} />
      ))}
      {members.hasNextPage ? (
        <div className="border-line border-b px-4 py-2 pl-16">
          <Button size="small" isBusy={members.isFetchingNextPage} onClick={() => void members.fetchNextPage()}>
            Show more members
          </Button>
        </div>
      ) : null}
    </>
  )
}

function MemberScope({ of: member, wider }: { readonly of: Member; readonly wider: readonly AppliedBudget[] }) {
  const organization = useOrganization()
  const { organizationId } = organization
  const client = useQueryClient()
  const name = nameOf(member)
  const figures = { budget: member.monthlyBudget, spent: member.spendThisMonth, held: member.heldThisMonth }
  const layer = { kind: 'member', orgId: organizationId, id: member.id } as const
  const save = async (text: string) => {
    await changeMember(organizationId, member.id, { monthlyBudget: optionalAmountBody(text) })
    await client.invalidateQueries({ queryKey: ['members', organizationId] })
  }
  return (
    <ScopeRow
      name={name}
      depth={2}
      label={
        <>
          <Link
            to="/members/$memberId"
            params={{ memberId: member.id }}
            className="block truncate rounded hover:underline"
          >
            {name}
          </Link>
          <span className="block text-muted text-xs">{roleLabel(member.role)}</span>
        </>
      }
      budgets={[
        {
          period: 'Monthly',
          ...figures,
          onSave: mayManageMember(organization, member) ? save : undefined,
          preview: (text) => <BacktestNote layer={layer} draft={{ monthlyBudget: text }} />,
        },
      ]}
      breaker={breakerInWords(member.breaker)}
      applied={[...wider, ...appliedBudget(`monthly budget of ${name}`, figures)]}
    />
  )
}
