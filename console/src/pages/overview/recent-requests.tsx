import type { UseQueryResult } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Generation, GenerationPage } from '../../api/generations.ts'
import { Badge } from '../../ui/badge.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'

/** The latest requests. Each links to its receipt. */
export function RecentRequests({ recent }: { readonly recent: UseQueryResult<GenerationPage> }) {
  return (
    <Card
      title="Recent requests"
      aside={
        <Link to="/requests" className="text-accent-strong text-sm hover:underline">
          View all
        </Link>
      }
    >
      {recent.error === null ? null : <ErrorNote error={recent.error} onRetry={() => void recent.refetch()} />}
      {recent.data === undefined ? (
        recent.error === null ? (
          <Waiting />
        ) : null
      ) : recent.data.data.length === 0 ? (
        <EmptyState title="No requests yet">Send one from the playground.</EmptyState>
      ) : (
        <ul className="-my-2 divide-y divide-line">
          {recent.data.data.map((generation) => (
            <Entry key={generation.id} generation={generation} />
          ))}
        </ul>
      )}
    </Card>
  )
}

function Entry({ generation }: { readonly generation: Generation }) {
  const { id, model, created_at, total_cost, refund_reason } = generation
  return (
    <li>
      <Link
        to="/requests/$requestId"
        params={{ requestId: id }}
        className="-mx-2 flex items-center gap-3 rounded px-2 py-2 hover:bg-raised"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate font-mono text-xs">{model}</span>
          <span className="block text-muted text-xs">
            <Time iso={created_at} />
          </span>
        </span>
        {refund_reason === null ? null : <Badge>Not charged</Badge>}
        <Money usd={total_cost} />
      </Link>
    </li>
  )
}

function Waiting() {
  return Array.from({ length: 8 }, (_, index) => <Skeleton key={index} className="my-2 h-9 w-full" />)
}
