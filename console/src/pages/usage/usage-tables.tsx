import { Link } from '@tanstack/react-router'
import { ChartColumn } from 'lucide-react'
import { useMemo } from 'react'
import type { Usage } from '../../api/usage.ts'
import { exactUsd } from '../../lib/money.ts'
import type { Column } from '../../ui/column.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Money } from '../../ui/money.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { type By, type Share, sharesOf } from './shares-of.ts'

const count = new Intl.NumberFormat('en')
const tabs = [
  { id: 'model', label: 'By model' },
  { id: 'key', label: 'By API key' },
  { id: 'app', label: 'By application' },
] as const

const labels = { model: 'Usage by model', key: 'Usage by API key', app: 'Usage by application' } as const

/** One table each for models, keys and applications. The sum row is the total spend. */
export function UsageTables({
  usage,
  by,
  onBy,
}: {
  readonly usage: Usage | undefined
  readonly by: By
  readonly onBy: (by: 'key' | 'app' | undefined) => void
}) {
  return (
    <Tabs
      label="Group by"
      value={by}
      onChange={(next) => onBy(next === 'key' || next === 'app' ? next : undefined)}
      tabs={tabs.map(({ id, label }) => ({ id, label, content: <UsageTable usage={usage} by={id} /> }))}
    />
  )
}

function UsageTable({ usage, by }: { readonly usage: Usage | undefined; readonly by: By }) {
  const rows = useMemo(() => (usage === undefined ? undefined : sharesOf(usage, by)), [usage, by])
  const columns = useMemo(() => columnsFor(by), [by])
  return (
    <DataTable
      name={`usage-by-${by}`}
      label={labels[by]}
      columns={columns}
      rows={rows}
      rowId={({ id }) => id}
      footer={rows === undefined ? undefined : sumRow(rows)}
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

function columnsFor(by: By): readonly Column<Share>[] {
  const heads = { model: 'Model', key: 'API key', app: 'Application' }
  return [
    {
      id: 'name',
      header: heads[by],
      cell: ({ id, name }) => (by === 'app' ? name : <Requests by={by} id={id} name={name} />),
      csv: ({ name }) => name,
      width: 280,
    },
    ...figures,
  ]
}

function Requests({ by, id, name }: { readonly by: 'model' | 'key'; readonly id: string; readonly name: string }) {
  return (
    <Link
      to="/requests"
      search={by === 'model' ? { model: id, period: '30d' } : { key: id, period: '30d' }}
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
    align: 'right',
    width: 120,
  },
  {
    id: 'tokens',
    header: 'Tokens',
    cell: ({ tokens }) => count.format(tokens),
    csv: ({ tokens }) => String(tokens),
    align: 'right',
    width: 140,
  },
  {
    id: 'share',
    header: 'Share',
    cell: ({ permille }) => `${permille / 10n}.${permille % 10n}%`,
    csv: ({ permille }) => `${permille / 10n}.${permille % 10n}`,
    align: 'right',
    width: 100,
  },
  {
    id: 'spend',
    header: 'Spend (USD)',
    cell: ({ nano }) => <Money nano={nano} />,
    csv: ({ nano }) => exactUsd(nano),
    align: 'right',
    width: 170,
  },
]
