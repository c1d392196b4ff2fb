import { Link } from '@tanstack/react-router'
import type { OperatedRequest } from '../../../api/operated-requests.ts'
import { exactUsd, toNano } from '../../../lib/money.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/column.ts'
import { Money } from '../../../ui/money.tsx'
import { Time } from '../../../ui/time.tsx'
import { CustomerLink } from '../customer-link.tsx'
import { outcomeWords } from './outcome-words.ts'
import type { Outcome } from './search.ts'

export const requestColumns: readonly Column<OperatedRequest>[] = [
  {
    id: 'time',
    header: 'Received',
    cell: ({ id, received_at: at }) => (
      <Link
        to="/operator/requests/$requestId"
        params={{ requestId: id }}
        className="underline decoration-line-strong underline-offset-4 hover:decoration-accent"
      >
        <Time iso={at} />
      </Link>
    ),
    csv: ({ received_at: at }) => at,
    width: 130,
    onPhone: 'figure',
  },
  {
    id: 'customer',
    header: 'Customer',
    cell: ({ customer }) => <CustomerLink customer={customer} />,
    csv: ({ customer }) => customer?.name ?? '',
    onPhone: 'title',
  },
  { id: 'key', header: 'API key', cell: ({ key }) => key.name ?? key.shown, csv: ({ key }) => key.id, width: 150 },
  { id: 'model', header: 'Model', cell: ({ model }) => model ?? '–', csv: ({ model }) => model ?? '' },
  {
    id: 'provider',
    header: 'Provider',
    cell: ({ provider }) => provider ?? '–',
    csv: ({ provider }) => provider ?? '',
    width: 120,
  },
  {
    id: 'outcome',
    header: 'Outcome',
    cell: ({ outcome, error }) => <OutcomeBadge outcome={outcome} error={error} />,
    csv: ({ outcome, error }) => (error === null ? outcome : `${outcome}: ${error}`),
    width: 190,
    onPhone: 'figure',
  },
  {
    id: 'cost',
    header: 'Cost (USD)',
    cell: ({ cost }) => <Money usd={cost} />,
    csv: ({ cost }) => exactUsd(toNano(cost)),
    align: 'right',
    width: 120,
    onPhone: 'figure',
  },
  {
    id: 'id',
    header: 'Request ID',
    cell: ({ id }) => <code className="font-mono text-xs">{id}</code>,
    csv: ({ id }) => id,
    isHidden: true,
  },
]

function OutcomeBadge({ outcome, error }: { readonly outcome: Outcome; readonly error: string | null }) {
  const { name, tone } = outcomeWords[outcome]
  return (
    <span className="inline-flex min-w-0 items-center gap-1.5">
      <Badge tone={tone}>{name}</Badge>
      <span className="truncate text-muted text-xs">{error}</span>
    </span>
  )
}
