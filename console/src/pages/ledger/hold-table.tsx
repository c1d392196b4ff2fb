import { useInfiniteQuery } from '@tanstack/react-query'
import { Lock } from 'lucide-react'
import type { Hold, listHolds } from '../../api/books.ts'
import { exactUsd, toNano } from '../../lib/money.ts'
import type { Column } from '../../ui/column.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Money } from '../../ui/money.tsx'
import { usePagedRows } from '../../ui/paged-rows.ts'
import { Time } from '../../ui/time.tsx'

const refreshMs = 5_000

/** Open holds for running requests. */
export function HoldTable({ ownerId, read }: { readonly ownerId: string; readonly read: typeof listHolds }) {
  const list = useInfiniteQuery({
    queryKey: ['holds', ownerId],
    queryFn: ({ pageParam }) =>
      read(ownerId, { limit: '50', ...(pageParam === undefined ? {} : { before: pageParam }) }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    refetchInterval: refreshMs,
  })
  const paged = usePagedRows(list)
  const { rows } = paged
  const nano = rows?.reduce((sum, { amount }) => sum + toNano(amount), 0n)
  return (
    <DataTable
      name="holds"
      label="Open holds"
      columns={columns}
      {...paged}
      rowId={({ generation_id }) => generation_id}
      footer={nano === undefined ? undefined : { request: 'Total shown', amount: <Money nano={nano} /> }}
      empty={
        <EmptyState icon={<Lock size={24} aria-hidden="true" />} title="No open holds">
          Each request places a hold for its maximum cost. When it finishes, Weir charges the actual cost and releases
          the rest.
        </EmptyState>
      }
    />
  )
}

const columns: readonly Column<Hold>[] = [
  {
    id: 'request',
    header: 'Request',
    cell: ({ generation_id }) => <code className="font-mono text-xs">{generation_id}</code>,
    csv: ({ generation_id }) => generation_id,
  },
  {
    id: 'placed',
    header: 'Placed',
    cell: ({ placed_at }) => <Time iso={placed_at} />,
    csv: ({ placed_at }) => placed_at,
    width: 140,
  },
  {
    id: 'until',
    header: 'Expires',
    cell: ({ lease_until }) => <Time iso={lease_until} />,
    csv: ({ lease_until }) => lease_until,
    width: 140,
  },
  {
    id: 'amount',
    header: 'On hold (USD)',
    cell: ({ amount }) => <Money usd={amount} />,
    csv: ({ amount }) => exactUsd(toNano(amount)),
    align: 'right',
    width: 160,
  },
]
