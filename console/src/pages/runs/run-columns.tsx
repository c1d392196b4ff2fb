import { Link } from '@tanstack/react-router'
import type { Run } from '../../api/runs.ts'
import { usdText } from '../../lib/budget-rule.ts'
import { BudgetFigures } from '../../ui/budget-figures.tsx'
import type { Column } from '../../ui/column.ts'
import { Time } from '../../ui/time.tsx'
import { RunState, stateInWords } from './run-state.tsx'

export const runColumns: readonly Column<Run>[] = [
  {
    id: 'id',
    header: 'Run',
    cell: ({ id }) => (
      <Link
        to="/runs/$runId/details"
        params={{ runId: id }}
        search={true}
        title={id}
        className="block truncate rounded font-mono text-xs hover:underline"
      >
        {id}
      </Link>
    ),
    csv: ({ id }) => id,
    onPhone: 'title',
  },
  {
    id: 'state',
    header: 'Status',
    cell: (run) => <RunState of={run} />,
    csv: stateInWords,
    width: 125,
    onPhone: 'figure',
  },
  {
    id: 'spent',
    header: 'Spent',
    cell: ({ id, spent, held, budget }) => (
      <BudgetFigures label={`Budget of ${id}`} spent={spent} held={held ?? 0} budget={budget} />
    ),
    csv: ({ spent }) => usdText(spent),
    width: 210,
    onPhone: 'figure',
  },
  {
    id: 'budget',
    header: 'Budget (USD)',
    cell: ({ budget }) => usdText(budget),
    csv: ({ budget }) => usdText(budget),
    align: 'right',
    width: 130,
    isHidden: true,
  },
  {
    id: 'calls',
    header: 'Requests',
    cell: ({ calls }) => Number(calls).toLocaleString('en'),
    csv: ({ calls }) => String(calls),
    align: 'right',
    width: 105,
    onPhone: 'figure',
  },
  {
    id: 'children',
    header: 'Child runs',
    cell: ({ children }) => Number(children).toLocaleString('en'),
    csv: ({ children }) => String(children),
    align: 'right',
    width: 110,
  },
  {
    id: 'created',
    header: 'Created',
    cell: ({ created_at: at }) => <Time iso={at} />,
    csv: ({ created_at: at }) => at,
    sort: 'created',
    width: 110,
  },
]
