import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '../../api/api-error.ts'
import { type Run, runQuery } from '../../api/runs.ts'
import { useWallet } from '../../app/wallet.ts'
import { mayChangeCustomers } from '../../app/wallet-rights.ts'
import { classNames } from '../../lib/class-names.ts'
import type { ExactNumber } from '../../lib/money.ts'
import { plural } from '../../lib/plural.ts'
import { BudgetFigures } from '../../ui/budget-figures.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Sheet } from '../../ui/dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Facts, Section } from '../../ui/facts.tsx'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { RunState } from './run-state.tsx'
import { RunTree } from './run-tree.tsx'
import { StopRunDialog } from './stop-run-dialog.tsx'

/** One run, in a sheet over the list: budget, receipt and child runs, updated while it runs. */
export function RunPage() {
  const { runId } = useParams({ from: '/app/runs/$runId/details' })
  const navigate = useNavigate()
  const wallet = useWallet()
  const run = useQuery(runQuery(wallet, runId))
  const { data, error } = run
  const isMissing = error instanceof ApiError && error.status === 404
  const mayStop = data !== undefined && data.status !== 'stopped' && mayChangeCustomers(wallet)
  return (
    <Sheet
      isOpen
      title="Run"
      description={
        <span className="flex items-center gap-1 font-mono text-xs">
          <span className="truncate">{runId}</span>
          <CopyButton text={runId} label="Copy run ID" />
        </span>
      }
      onClose={() => void navigate({ to: '/runs', search: true })}
      actions={mayStop ? <StopAction of={data} /> : undefined}
    >
      {isMissing ? (
        <EmptyState title="Run not found">No run has this ID. Check the ID, or search the list of runs.</EmptyState>
      ) : error !== null ? (
        <ErrorNote error={error} onRetry={() => void run.refetch()} />
      ) : data === undefined ? (
        <Skeleton className="h-64 w-full" />
      ) : (
        <div className="flex flex-col gap-6">
          <RunFacts of={data} />
          <Section title="Budget">
            <BudgetFigures label="Budget" spent={data.spent} held={data.held ?? 0} budget={data.budget} />
          </Section>
          <Section title="Receipt">
            <Receipt of={data.receipt} />
          </Section>
          {Number(data.children) === 0 ? null : (
            <Section title="Child runs">
              <RunTree of={data} />
            </Section>
          )}
        </div>
      )}
    </Sheet>
  )
}

function RunFacts({ of: run }: { readonly of: Run }) {
  const { parent, calls_per_minute: perMinute, repeats } = run
  return (
    <Facts
      facts={[
        ['Status', <RunState of={run} />],
        [
          'Requests',
          <Link
            to="/requests"
            search={{ run: run.id, period: '90d' }}
            className="underline decoration-line-strong underline-offset-4 hover:decoration-accent"
          >
            {Number(run.calls).toLocaleString('en')}
          </Link>,
        ],
        ['Created', <Time iso={run.created_at} />],
        ...(parent === null
          ? []
          : [
              [
                'Parent run',
                <Link to="/runs/$runId/details" params={{ runId: parent }} search={true} className="hover:underline">
                  {parent}
                </Link>,
              ] as const,
            ]),
        ...(perMinute === null ? [] : [['Requests per minute', `At most ${perMinute}`] as const]),
        ...(repeats === null ? [] : [['Prompt repeats', `At most ${plural(Number(repeats), 'time')}`] as const]),
        ...(run.stopped_at === null ? [] : [['Stopped', <Time iso={run.stopped_at} />] as const]),
        ...(run.stop_reason === null ? [] : [['Reason', run.stop_reason] as const]),
      ]}
    />
  )
}

type ReceiptOf = NonNullable<Awaited<ReturnType<NonNullable<ReturnType<typeof runQuery>['queryFn']>>>>['receipt']

/** The spend of the run and its child runs, by model. */
function Receipt({ of: { models, own, children, total } }: { readonly of: ReceiptOf }) {
  if (models.length === 0) return <p className="text-muted text-sm">No requests yet.</p>
  const parts =
    Number(children.calls) === 0
      ? []
      : [
          { label: 'This run', ...own },
          { label: 'Child runs', ...children },
        ]
  return (
    <dl className="figures flex flex-col gap-1 text-sm">
      {models.map(({ model, spent, calls }) => (
        <Line key={model} label={model} spent={spent} calls={calls} />
      ))}
      <Line label="Total" {...total} className="border-line border-t pt-1 font-medium" />
      {parts.map((part) => (
        <Line key={part.label} {...part} className="pl-3 text-muted text-xs" />
      ))}
    </dl>
  )
}

function Line({
  label,
  spent,
  calls,
  className,
}: {
  readonly label: string
  readonly spent: ExactNumber
  readonly calls: ExactNumber
  readonly className?: string
}) {
  return (
    <div className={classNames('flex items-baseline gap-3', className)}>
      <dt className="min-w-0 flex-1 truncate">{label}</dt>
      <dd className="text-muted text-xs">{plural(Number(calls), 'request')}</dd>
      <dd>
        <Money usd={spent} />
      </dd>
    </div>
  )
}

function StopAction({ of: run }: { readonly of: Run }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <>
      <Button kind="danger" onClick={() => setAsked(true)}>
        Stop…
      </Button>
      {isAsked ? <StopRunDialog of={run} onClose={() => setAsked(false)} /> : null}
    </>
  )
}
