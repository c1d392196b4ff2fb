import { Link } from '@tanstack/react-router'
import type { Member } from '../../api/members.ts'
import { roleLabel } from '../../app/role-words.ts'
import { usdText } from '../../lib/budget-rule.ts'
import type { Column } from '../../ui/column.ts'
import { BudgetFigures } from '../../ui/budget-figures.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'

/** The name of a member. A person without a name has the email address. */
export function nameOf({ user }: Pick<Member, 'user'>): string {
  return user.name.trim() === '' ? user.email : user.name
}

export const memberColumns: readonly Column<Member>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: (member) => (
      <span className="flex min-w-0 items-center gap-2">
        <Link
          to="/members/$memberId"
          params={{ memberId: member.id }}
          search={true}
          className="truncate rounded font-medium hover:underline"
        >
          {nameOf(member)}
        </Link>
        {member.suspended ? <Badge tone="warn">Suspended</Badge> : null}
      </span>
    ),
    csv: nameOf,
    width: 160,
    onPhone: 'title',
  },
  { id: 'email', header: 'Email', cell: ({ user }) => user.email, csv: ({ user }) => user.email },
  {
    id: 'role',
    header: 'Role',
    cell: ({ role }) => roleLabel(role),
    csv: ({ role }) => roleLabel(role),
    onPhone: 'figure',
    width: 180,
  },
  {
    id: 'team',
    header: 'Team',
    cell: ({ team }) =>
      team === null ? (
        <span className="text-muted">None</span>
      ) : (
        <Link to="/teams/$teamId" params={{ teamId: team.id }} className="rounded hover:underline">
          {team.name}
        </Link>
      ),
    csv: ({ team }) => team?.name ?? '',
    onPhone: 'figure',
    width: 130,
  },
  {
    id: 'budget',
    header: 'Monthly budget',
    cell: ({ monthlyBudget }) =>
      monthlyBudget === null ? <span className="text-muted">None</span> : <Money usd={monthlyBudget} short />,
    csv: ({ monthlyBudget }) => usdText(monthlyBudget),
    align: 'right',
    width: 125,
  },
  {
    id: 'spent',
    header: 'Spent this month',
    cell: (member) => (
      <BudgetFigures
        label={`Monthly budget of ${nameOf(member)}`}
        spent={member.spendThisMonth}
        held={member.heldThisMonth}
        budget={member.monthlyBudget}
      />
    ),
    csv: ({ spendThisMonth }) => usdText(spendThisMonth),
    width: 170,
    onPhone: 'figure',
  },
  {
    id: 'joined',
    header: 'Joined',
    cell: ({ joinedAt }) => <Time iso={joinedAt} />,
    csv: ({ joinedAt }) => joinedAt,
    sort: 'joined',
    width: 95,
  },
  {
    id: 'access',
    header: 'Access',
    cell: ({ suspended }) => (suspended ? 'Suspended' : 'Active'),
    csv: ({ suspended }) => (suspended ? 'Suspended' : 'Active'),
    width: 110,
    isHidden: true,
  },
  {
    id: 'keys',
    header: 'API keys',
    cell: ({ keyCount }) => Number(keyCount).toLocaleString('en'),
    csv: ({ keyCount }) => String(keyCount),
    align: 'right',
    width: 100,
    isHidden: true,
  },
]
