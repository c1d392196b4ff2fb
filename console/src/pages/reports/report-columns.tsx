import { Link } from '@tanstack/react-router'
import { exactUsd, type Nano } from '../../lib/money.ts'
import { monthBounds } from '../../lib/utc-days.ts'
import type { Column } from '../../ui/column.ts'
import { Money } from '../../ui/money.tsx'
import { percentOf, type ReportLine } from './report-lines.ts'
import type { ReportView } from './search.ts'

const heads = {
  members: ['Person', 'Email'],
  teams: ['Team', 'Cost center'],
  models: ['Model', null],
  'cost-centers': ['Cost center', 'Teams'],
  tags: ['Tag', null],
  days: ['Day (UTC)', null],
} as const satisfies Record<ReportView, readonly [string, string | null]>

/** The columns of a report. Only people and teams have budgets, and tags no share: a request can have several. */
export function reportColumns(view: ReportView, month: string, total: Nano): readonly Column<ReportLine>[] {
  const [name, note] = heads[view]
  const isBudgeted = view === 'members' || view === 'teams'
  return [
    {
      id: 'name',
      header: name,
      cell: (line) => <Name line={line} month={month} />,
      csv: ({ name: text }) => text,
      onPhone: 'title',
    },
    ...(note === null
      ? []
      : [
          {
            id: 'note',
            header: note,
            cell: ({ note: text }: ReportLine) => <span title={text}>{text}</span>,
            csv: ({ note: text }: ReportLine) => text,
          },
        ]),
    {
      id: 'spend',
      header: 'Spend (USD)',
      cell: ({ spend }) => <Money nano={spend} />,
      csv: ({ spend }) => exactUsd(spend),
      align: 'right',
      width: 140,
      onPhone: 'figure',
    },
    ...(view === 'tags' ? [] : [shareColumn(total)]),
    {
      id: 'requests',
      header: 'Requests',
      cell: ({ requests }) => requests.toLocaleString('en'),
      csv: ({ requests }) => String(requests),
      align: 'right',
      width: 100,
    },
    {
      id: 'tokens',
      header: 'Tokens',
      cell: ({ tokens }) => tokens.toLocaleString('en'),
      csv: ({ tokens }) => String(tokens),
      align: 'right',
      width: 120,
    },
    ...(isBudgeted ? [budgetColumn] : []),
  ]
}

function shareColumn(total: Nano): Column<ReportLine> {
  return {
    id: 'share',
    header: 'Share',
    cell: ({ spend }) => percentOf(spend, total),
    csv: ({ spend }) => percentOf(spend, total),
    align: 'right',
    width: 80,
    onPhone: 'figure',
  }
}

const budgetColumn: Column<ReportLine> = {
  id: 'budget',
  header: 'Budget (USD)',
  cell: ({ budget, spend }) =>
    budget === null ? (
      <span className="text-muted">No budget</span>
    ) : (
      <>
        {percentOf(spend, budget)} of <Money nano={budget} short />
      </>
    ),
  csv: ({ budget }) => (budget === null ? '' : exactUsd(budget)),
  align: 'right',
  width: 170,
}

/** A model and a tag link to their requests of the month. */
function Name({ line: { name, requestsOf }, month }: { readonly line: ReportLine; readonly month: string }) {
  if (requestsOf === undefined) return <span title={name}>{name}</span>
  const { fromMs, toMs } = monthBounds(month)
  return (
    <Link
      to="/requests"
      search={{ ...requestsOf, from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() }}
      title={`Requests of ${name}`}
      className="underline decoration-line-strong underline-offset-4 hover:decoration-accent"
    >
      {name}
    </Link>
  )
}
