import { Link } from '@tanstack/react-router'
import type { Team } from '../../api/teams.ts'
import { usdText } from '../../lib/budget-rule.ts'
import { BudgetFigures } from '../../ui/budget-figures.tsx'
import type { Column } from '../../ui/column.ts'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'

export const teamColumns: readonly Column<Team>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, name }) => (
      <Link to="/teams/$teamId" params={{ teamId: id }} search={true} className="rounded font-medium hover:underline">
        {name}
      </Link>
    ),
    csv: ({ name }) => name,
    sort: 'name',
    onPhone: 'title',
  },
  {
    id: 'members',
    header: 'Members',
    cell: ({ memberCount }) => Number(memberCount).toLocaleString('en'),
    csv: ({ memberCount }) => String(memberCount),
    onPhone: 'figure',
    align: 'right',
    width: 100,
  },
  {
    id: 'center',
    header: 'Cost center',
    cell: ({ costCenterCode }) => costCenterCode ?? <span className="text-muted">None</span>,
    csv: ({ costCenterCode }) => costCenterCode ?? '',
    width: 150,
  },
  {
    id: 'budget',
    header: 'Monthly budget',
    cell: ({ monthlyBudget }) =>
      monthlyBudget === null ? <span className="text-muted">None</span> : <Money usd={monthlyBudget} short />,
    csv: ({ monthlyBudget }) => usdText(monthlyBudget),
    align: 'right',
    width: 150,
  },
  {
    id: 'spent',
    header: 'Spent this month',
    cell: (team) => (
      <BudgetFigures
        label={`Monthly budget of ${team.name}`}
        spent={team.spendThisMonth}
        held={team.heldThisMonth}
        budget={team.monthlyBudget}
      />
    ),
    csv: ({ spendThisMonth }) => usdText(spendThisMonth),
    width: 240,
    onPhone: 'figure',
  },
  {
    id: 'description',
    header: 'Description',
    cell: ({ description }) => description ?? '',
    csv: ({ description }) => description ?? '',
    isHidden: true,
  },
  {
    id: 'created',
    header: 'Created',
    cell: ({ createdAt }) => <Time iso={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: 'created',
    width: 110,
  },
]
