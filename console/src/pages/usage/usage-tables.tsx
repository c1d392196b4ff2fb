import { Link } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import { useMemo } from 'react'
import type { Usage } from '../../api/usage.ts'
import { exactUsd } from '../../lib/money.ts'
import type { DaySpan } from '../../lib/period.ts'
import type { Column } from '../../ui/column.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Money } from '../../ui/money.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { groups } from './search.ts'
import { type By, type Share, sharesOf } from './shares-of.ts'

const count = new Intl.NumberFormat('en')
const heads = {
  model: 'Model',
  key: 'API key',
  app: 'Application',
  member: 'Member',
  team: 'Team',
  tag: 'Tag',
} as const

const labels = {
  model: 'Usage by model',
  key: 'Usage by API key',
  app: 'Usage by application',
  member: 'Usage by member',
  team: 'Usage by team',
  tag: 'Usage by tag',
} as const

/** The groups that the usage has. Only some roles see who spent what, and few wallets use tags. */
function groupsOf(usage: Usage | undefined): readonly By[] {
  return [
    'model',
    'key',
    'app',
    ...(usage?.byMember === undefined ? [] : ['member' as const]),
    ...(usage?.byTeam === undefined ? [] : ['team' as const]),
    ...(usage?.byTag === undefined ? [] : ['tag' as const]),
  ]
}

/**
 * One table each for models, keys, applications, members, teams and tags. The sum row is the total spend. Tags have
 * none, because a request with two tags is in two rows.
 */
export function UsageTables({
  usage,
  days,
  by,
  onBy,
}: {
  readonly usage: Usage | undefined
  /** The days of the usage, for links to their requests. */
  readonly days: DaySpan
  readonly by: By
  readonly onBy: (by: (typeof groups)[number] | undefined) => void
}) {
  return (
    <Tabs
      label="Group by"
      value={groupsOf(usage).includes(by) ? by : 'model'}
      onChange={(next) => onBy(groups.find((group) => group === next))}
      tabs={groupsOf(usage).map((id) => ({
        id,
        label: labels[id].replace('Usage by', 'By'),
        content: <UsageTable usage={usage} days={days} by={id} />,
      }))}
    />
  )
}

function UsageTable({
  usage,
  days,
  by,
}: {
  readonly usage: Usage | undefined
  readonly days: DaySpan
  readonly by: By
}) {
  const rows = useMemo(() => (usage === undefined ? undefined : sharesOf(usage, by)), [usage, by])
  const columns = useMemo(() => columnsFor(by, days), [by, days])
  return (
    <DataTable
      name={`usage-by-${by}`}
      label={labels[by]}
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      usualSort="-spend"
      footer={rows === undefined || by === 'tag' ? undefined : sumRow(rows)}
      empty={
        <EmptyState icon={<ChartColumn size={24} aria-hidden="true" />} title="No usage in this period">
          Try a longer time range. Requests appear about two seconds after they finish.
        </EmptyState>
      }
    />
  )
}

function sumRow(rows: readonly Share[]) {
  return {
    name: 'Total',
    requests: count.format(rows.reduce((sum, row) => sum + row.requests, 0)),
    tokens: count.format(rows.reduce((sum, row) => sum + row.tokens, 0)),
    spend: <Money nano={rows.reduce((sum, row) => sum + row.nano, 0n)} />,
  }
}

function columnsFor(by: By, days: DaySpan): readonly Column<Share>[] {
  return [
    {
      id: 'name',
      header: heads[by],
      cell: ({ id, name }) => (id === '' ? name : <Requests filter={{ [by]: id, period: days }} name={name} by={by} />),
      csv: ({ name }) => name,
      sort: (one, other) => one.name.localeCompare(other.name),
      onPhone: 'title',
      width: 280,
    },
    ...figures,
  ]
}

function Requests({
  by,
  filter,
  name,
}: {
  readonly by: By
  readonly filter: { readonly [Name in By]?: string } & { readonly period: DaySpan }
  readonly name: string
}) {
  return (
    <Link
      to="/requests"
      search={filter}
      className={`underline decoration-line-strong underline-offset-4 hover:decoration-accent ${by === 'model' ? 'font-mono text-xs' : ''}`}
    >
      {name}
    </Link>
  )
}

const figures: readonly Column<Share>[] = [
  {
    id: 'requests',
    header: 'Requests',
    cell: ({ requests }) => count.format(requests),
    csv: ({ requests }) => String(requests),
    sort: (one, other) => one.requests - other.requests,
    onPhone: 'figure',
    align: 'right',
    width: 120,
  },
  {
    id: 'tokens',
    header: 'Tokens',
    cell: ({ tokens }) => count.format(tokens),
    csv: ({ tokens }) => String(tokens),
    sort: (one, other) => one.tokens - other.tokens,
    align: 'right',
    width: 140,
  },
  {
    id: 'share',
    header: 'Share',
    cell: ({ permille }) => `${permille / 10n}.${permille % 10n}%`,
    csv: ({ permille }) => `${permille / 10n}.${permille % 10n}`,
    onPhone: 'figure',
    align: 'right',
    width: 100,
  },
  {
    id: 'spend',
    header: 'Spend (USD)',
    cell: ({ nano }) => <Money nano={nano} />,
    csv: ({ nano }) => exactUsd(nano),
    sort: (one, other) => (one.nano < other.nano ? -1 : one.nano > other.nano ? 1 : 0),
    onPhone: 'figure',
    align: 'right',
    width: 170,
  },
]
