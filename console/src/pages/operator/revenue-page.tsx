import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { useState } from 'react'
import { type Revenue, type RevenueGroup, revenueGroups, revenueQuery } from '../../api/operator-money.ts'
import { TabFrame } from '../../app/tab-frame.tsx'
import { exactUsd, toNano } from '../../lib/money.ts'
import { utcMonth } from '../../lib/utc-days.ts'
import type { Column } from '../../ui/column.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Money } from '../../ui/money.tsx'
import { MonthPicker } from '../../ui/month-picker.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { Tiles } from '../../ui/tiles.tsx'
import { marginPercent, type RevenueLine, revenueLines } from './revenue-lines.ts'

const route = getRouteApi('/app/operator/revenue')

const groupWords = {
  day: 'By day',
  model: 'By model',
  provider: 'By provider',
  customer: 'By customer',
} as const satisfies Record<RevenueGroup, string>

/** What a month brought in, what it cost, and what is left. */
export function RevenuePage() {
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const [today] = useState(() => utcMonth(Date.now()))
  const [month, by] = [search.month ?? today, search.by ?? 'day']
  const revenue = useQuery(revenueQuery(month, by))
  return (
    <TabFrame
      title="Revenue"
      tab="Revenue"
      description="Charges, cost and margin by calendar month (UTC). All sums equal the ledger."
      actions={
        <MonthPicker
          month={month}
          today={today}
          onChange={(next) => void navigate({ search: (old) => ({ ...old, month: next }), replace: true })}
        />
      }
    >
      <Sums revenue={revenue.data} />
      <Tabs
        label="Revenue by"
        value={by}
        onChange={(next) => {
          const chosen = revenueGroups.find((one) => one === next)
          if (chosen !== undefined) void navigate({ search: (old) => ({ ...old, by: chosen }), replace: true })
        }}
        tabs={revenueGroups.map((group) => ({
          id: group,
          label: groupWords[group],
          content:
            group === by ? (
              <Groups by={by} revenue={revenue.data} error={revenue.error} onRetry={() => void revenue.refetch()} />
            ) : null,
        }))}
      />
    </TabFrame>
  )
}

function Sums({ revenue }: { readonly revenue: Revenue | undefined }) {
  const show = (name: Exclude<keyof Revenue, 'data' | 'taxes' | 'by' | 'month' | 'others' | 'deferred_credit'>) =>
    revenue === undefined ? null : <Money usd={revenue[name]} short />
  return (
    <Tiles
      tiles={[
        ['Usage', show('usage')],
        ['Provider cost', show('provider_cost')],
        ['Margin', show('margin')],
        ['Result', show('result')],
        ['Top-up fees', show('fees')],
        ['Payment processing', show('processing')],
        ['Promotions and bad debts', revenue === undefined ? null : <GivenAway revenue={revenue} />],
        ['Deferred credit', revenue === undefined ? null : <Money usd={revenue.deferred_credit.after} short />],
      ]}
    />
  )
}

function GivenAway({ revenue: { promotions, bad_debts: debts } }: { readonly revenue: Revenue }) {
  return <Money nano={toNano(promotions) + toNano(debts)} short />
}

function Groups({
  by,
  revenue,
  error,
  onRetry,
}: {
  readonly by: RevenueGroup
  readonly revenue: Revenue | undefined
  readonly error: Error | null
  readonly onRetry: () => void
}) {
  const total = revenue && { charged: toNano(revenue.usage), margin: toNano(revenue.margin) }
  return (
    <DataTable
      name={`revenue-${by}`}
      label={groupWords[by]}
      columns={columns}
      rows={revenue === undefined ? undefined : revenueLines(revenue)}
      rowId={({ id }) => id}
      error={error}
      onRetry={onRetry}
      {...(by === 'day' ? { usualSort: 'name' } : {})}
      footer={
        revenue === undefined || total === undefined
          ? undefined
          : {
              name: 'Total',
              charged: <Money usd={revenue.usage} />,
              cost: <Money usd={revenue.provider_cost} />,
              margin: <Money usd={revenue.margin} />,
              percent: marginPercent(total),
            }
      }
      empty={<EmptyState title="No requests in this month">Charges appear here within seconds.</EmptyState>}
    />
  )
}

const compare = (one: bigint, other: bigint): number => (one < other ? -1 : one > other ? 1 : 0)

const columns: readonly Column<RevenueLine>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ name }) => <span title={name}>{name}</span>,
    csv: ({ name }) => name,
    sort: (one, other) => one.name.localeCompare(other.name),
    onPhone: 'title',
  },
  {
    id: 'requests',
    header: 'Requests',
    cell: ({ requests }) => requests.toLocaleString('en'),
    csv: ({ requests }) => String(requests),
    sort: (one, other) => one.requests - other.requests,
    align: 'right',
    width: 110,
  },
  {
    id: 'charged',
    header: 'Charged (USD)',
    cell: ({ charged }) => <Money nano={charged} />,
    csv: ({ charged }) => exactUsd(charged),
    sort: (one, other) => compare(one.charged, other.charged),
    align: 'right',
    width: 150,
    onPhone: 'figure',
  },
  {
    id: 'cost',
    header: 'Provider cost (USD)',
    cell: ({ cost }) => <Money nano={cost} />,
    csv: ({ cost }) => exactUsd(cost),
    sort: (one, other) => compare(one.cost, other.cost),
    align: 'right',
    width: 186,
    onPhone: 'figure',
  },
  {
    id: 'margin',
    header: 'Margin (USD)',
    cell: ({ margin }) => <Money nano={margin} />,
    csv: ({ margin }) => exactUsd(margin),
    sort: (one, other) => compare(one.margin, other.margin),
    align: 'right',
    width: 150,
    onPhone: 'figure',
  },
  { id: 'percent', header: 'Margin %', cell: marginPercent, csv: marginPercent, align: 'right', width: 100 },
]
