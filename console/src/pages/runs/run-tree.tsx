import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { childRunsQuery, type Run } from '../../api/runs.ts'
import { useWallet } from '../../app/wallet.ts'
import { plural } from '../../lib/plural.ts'
import { BudgetFigures } from '../../ui/budget-figures.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RunState } from './run-state.tsx'

/** The child runs of a run, at every depth, updated while they run. */
export function RunTree({ of: run }: { readonly of: Pick<Run, 'id' | 'status'> }) {
  const wallet = useWallet()
  const children = useQuery(childRunsQuery(wallet, run.id, { isLive: run.status !== 'stopped' }))
  if (children.error !== null) return <ErrorNote error={children.error} onRetry={() => void children.refetch()} />
  if (children.data === undefined) return <Skeleton className="h-10 w-full" />
  const { data, next_cursor: next } = children.data
  return (
    <ul aria-label={`Child runs of ${run.id}`} className="flex flex-col gap-2 border-line border-l pl-3">
      {data.map((child) => (
        <li key={child.id} className="flex flex-col gap-2">
          <Branch of={child} />
          {Number(child.children) > 0 ? <RunTree of={child} /> : null}
        </li>
      ))}
      {next === null ? null : <li className="text-muted text-xs">Older child runs are not shown.</li>}
    </ul>
  )
}

function Branch({ of: run }: { readonly of: Run }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-3 gap-y-1">
      <Link
        to="/runs/$runId/details"
        params={{ runId: run.id }}
        search={true}
        className="truncate rounded font-mono text-xs hover:underline"
      >
        {run.id}
      </Link>
      <RunState of={run} />
      <BudgetFigures label={`Budget of ${run.id}`} spent={run.spent} held={run.held ?? 0} budget={run.budget} />
      <span className="text-right text-muted text-xs">{plural(Number(run.calls), 'request')}</span>
    </div>
  )
}
