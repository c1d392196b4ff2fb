import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { type Changes, changesQuery } from '../../api/changes.ts'
import { useWallet } from '../../app/wallet.ts'
import { toNano } from '../../lib/money.ts'
import { daySpanOf, type DaySpan } from '../../lib/period.ts'
import { plural } from '../../lib/plural.ts'
import { type DayRange, daysIn } from '../../lib/utc-days.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChangeAmount } from './change-amount.tsx'
import { Movers } from './movers.tsx'

/** Why the period cost more or less than the days before it: causes that add up, and the largest changes. */
export function ChangesCard({ range }: { readonly range: DayRange }) {
  const wallet = useWallet()
  const changes = useQuery(changesQuery(wallet, range))
  const days = plural(daysIn(range), 'day')
  return (
    <Card title="What changed" description={`Compared with the ${days} before.`}>
      {changes.error === null ? null : <ErrorNote error={changes.error} onRetry={() => void changes.refetch()} />}
      {changes.data === undefined ? (
        changes.error === null ? (
          <Skeleton className="h-32 w-full" />
        ) : null
      ) : (
        <Explained changes={changes.data} range={range} />
      )}
    </Card>
  )
}

function Explained({ changes, range }: { readonly changes: Changes; readonly range: DayRange }) {
  const { causes, leadingModels, models, keys, members, others, before, now } = changes
  const days = daySpanOf(range)
  const daysBefore = daySpanOf({ fromMs: Date.parse(changes.previousSince), toMs: Date.parse(changes.since) })
  const parts = causeWords.filter(([name]) => toNano(causes[name]) !== 0n)
  if (Number(before.requests) === 0 && Number(now.requests) === 0) {
    return <p className="text-muted text-sm">No requests in either period.</p>
  }
  return (
    <div className="flex flex-col gap-4">
      <p className="text-sm">
        Spend went from{' '}
        <RequestsLink search={{ period: daysBefore }}>
          <Money usd={before.spend} short />
        </RequestsLink>{' '}
        to{' '}
        <RequestsLink search={{ period: days }}>
          <Money usd={now.spend} short />
        </RequestsLink>
        : <ChangeAmount amount={changes.change} className="font-medium" />.{' '}
        <Failures before={before} now={now} model={leadingModels.failed} days={days} daysBefore={daysBefore} />
      </p>
      {parts.length === 0 ? null : (
        <dl className="grid grid-cols-2 gap-x-8 gap-y-4 sm:flex sm:flex-wrap" aria-label="Causes">
          {parts.map(([name, label]) => (
            <div key={name}>
              <dt className="text-muted text-xs">{label}</dt>
              <dd className="figures mt-1">
                <ChangeAmount amount={causes[name]} />
              </dd>
              <LeadingModel model={leadingModels[name]} days={name === 'endedModels' ? daysBefore : days} />
            </div>
          ))}
        </dl>
      )}
      <div className="grid gap-6 md:grid-cols-3">
        <Movers
          title="Models"
          rows={models.map(({ model, change }) => ({ id: model, label: model, change, filter: { model } }))}
          others={others.models}
          days={days}
        />
        <Movers
          title="API keys"
          rows={keys.map(({ keyId, keyName, change }) => ({
            id: keyId,
            label: keyName ?? 'Deleted key',
            change,
            filter: { key: keyId },
          }))}
          others={others.keys}
          days={days}
        />
        {members === undefined ? null : (
          <Movers
            title="People"
            rows={members.map(({ memberId, name, change }) => ({
              id: memberId ?? 'shared',
              label: memberId === null ? 'Shared keys' : (name ?? 'Former member'),
              change,
              filter: memberId === null ? null : { member: memberId },
            }))}
            others={others.members}
            days={days}
          />
        )}
      </div>
    </div>
  )
}

const causeWords = [
  ['requests', 'Number of requests'],
  ['tokensPerRequest', 'Tokens per request'],
  ['price', 'Price per token'],
  ['cache', 'Cache share'],
  ['newModels', 'New models'],
  ['endedModels', 'Models no longer used'],
] as const satisfies readonly (readonly [keyof Changes['causes'], string])[]

/** The model behind most of a cause, with a link to its requests. */
function LeadingModel({ model, days }: { readonly model: string | null; readonly days: DaySpan }) {
  if (model === null) return null
  return (
    <dd className="mt-0.5 max-w-48 truncate text-muted text-xs">
      mostly <RequestsLink search={{ model, period: days }}>{model}</RequestsLink>
    </dd>
  )
}

/** The share of failed requests, with links to them. */
function Failures({
  before,
  now,
  model,
  days,
  daysBefore,
}: {
  readonly before: Changes['before']
  readonly now: Changes['now']
  /** The model behind most of the change. */
  readonly model: string | null
  readonly days: DaySpan
  readonly daysBefore: DaySpan
}) {
  const failed = { status: 'failed', period: days } as const
  const share = <FailedShare of={now} days={days} />
  if (failedShare(before) === failedShare(now)) return <>{share} of requests failed in both periods.</>
  return (
    <>
      Failed requests went from <FailedShare of={before} days={daysBefore} /> to {share}
      {model === null || Number(now.failed) === 0 ? null : (
        <>
          , mostly <RequestsLink search={{ ...failed, model }}>{model}</RequestsLink>
        </>
      )}
      .
    </>
  )
}

function FailedShare({ of: sums, days }: { readonly of: Changes['now']; readonly days: DaySpan }) {
  if (Number(sums.failed) === 0) return failedShare(sums)
  return <RequestsLink search={{ status: 'failed', period: days }}>{failedShare(sums)}</RequestsLink>
}

interface RequestsFilter {
  readonly model?: string
  readonly status?: 'failed'
  readonly period: DaySpan
}

function RequestsLink({ search, children }: { readonly search: RequestsFilter; readonly children: ReactNode }) {
  return (
    <Link to="/requests" search={search} className="rounded underline decoration-dotted underline-offset-2">
      {children}
    </Link>
  )
}

function failedShare({ failed, requests }: Changes['now']): string {
  return Number(requests) === 0 ? '0.0%' : `${((Number(failed) * 100) / Number(requests)).toFixed(1)}%`
}
