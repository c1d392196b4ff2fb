import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useSearch } from '@tanstack/react-router'
import { Activity, Pause, Play } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Generation } from '../../api/generations.ts'
import { type Usage, usageQuery } from '../../api/usage.ts'
import { useOwnerFields } from '../../app/use-owner-fields.ts'
import { useWallet } from '../../app/wallet.ts'
import { mayChangeKeys } from '../../app/wallet-rights.ts'
import { toNano } from '../../lib/money.ts'
import { plural } from '../../lib/plural.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Money } from '../../ui/money.tsx'
import { Page } from '../../ui/page.tsx'
import { useSearchState } from '../../ui/use-search-state.ts'
import { Histogram } from './histogram.tsx'
import { requestColumnsOf } from './request-columns.tsx'
import { RequestFilters, requestFields } from './request-filters.tsx'
import type { RequestsSearch } from './search.ts'
import { type Bucket, bucketsOf, type TimeSpan, timeSpanOf } from './time-span.ts'
import { useRequests } from './use-requests.ts'

const count = new Intl.NumberFormat('en')

/** All finished requests with their cost, and refused ones with their reason. A receipt opens over the list. */
export function RequestsPage() {
  const wallet = useWallet()
  const search = useSearch({ from: '/app/requests' })
  const navigate = useNavigate()
  // The time span changes only when the person changes a filter, so that the list stays consistent.
  const [openedAtMs] = useState(() => Date.now())
  const span = useMemo(() => timeSpanOf(search, openedAtMs), [search, openedAtMs])
  const filter = useMemo(() => filterOf(search, span, wallet.query), [search, span, wallet.query])
  const requests = useRequests(filter, search.live === true)
  const usage = useQuery({ ...usageQuery(wallet, span.days, span.granularity), placeholderData: keepPreviousData })
  const keyNames = useMemo(
    () => new Map(usage.data?.byKey.map(({ keyId, keyName }) => [keyId, keyName] as const)),
    [usage.data],
  )
  const columns = requestColumnsOf(wallet.kind)
  const ownerFields = useOwnerFields(search)
  const buckets = useMemo(
    () => (usage.data === undefined ? undefined : bucketsOf(pointsOf(usage.data, search.model), span)),
    [usage.data, search.model, span],
  )
  const fields = useMemo(
    () =>
      requestFields({
        models: usage.data?.byModel.map(({ model }) => model) ?? [],
        keys: [...keyNames].map(([value, label]) => ({ value, label })),
        providers: providersOf(requests.rows),
      }),
    [usage.data, keyNames, requests.rows],
  )
  const [, change] = useSearchState()
  return (
    <Page
      title="Requests"
      description="All requests, newest first. Select one to see its receipt, or why it was refused."
      actions={<LiveButton isLive={search.live === true} onToggle={(live) => change({ live })} />}
    >
      <div className="mb-4 rounded-lg border border-line bg-surface px-4 pt-3 pb-2">
        <Histogram
          buckets={buckets}
          span={span}
          onSelect={({ fromMs, toMs }) =>
            change({ from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString() })
          }
        />
        <HistogramLegend buckets={buckets} span={span} search={search} />
      </div>
      <DataTable
        name="requests"
        label="Requests"
        columns={columns}
        {...requests}
        rowId={({ id }) => id}
        onOpen={({ id }) => void navigate({ to: '/requests/$requestId', params: { requestId: id }, search: true })}
        fields={[...fields, ...ownerFields]}
        narrowedBy={['from', 'to']}
        filters={<RequestFilters />}
        footer={requests.rows === undefined ? undefined : sumRow(requests.rows, requests.hasMore)}
        empty={<NoRequests />}
      />
      <Outlet />
    </Page>
  )
}

function filterOf(search: RequestsSearch, span: TimeSpan, walletQuery: { readonly organization?: string }) {
  const { model, key, member, team, provider, app, customer, user, run, tag, status } = search
  return {
    ...walletQuery,
    ...span.query,
    ...(model === undefined ? {} : { model }),
    ...(key === undefined ? {} : { api_key_id: key }),
    ...(member === undefined ? {} : { member_id: member }),
    ...(team === undefined ? {} : { team_id: team }),
    ...(provider === undefined ? {} : { provider }),
    ...(app === undefined ? {} : { app }),
    ...(customer === undefined ? {} : { customer }),
    ...(user === undefined ? {} : { user }),
    ...(run === undefined ? {} : { run }),
    ...(tag === undefined ? {} : { tag }),
    status: status ?? 'any',
  }
}

function pointsOf({ timeSeries }: Usage, model: string | undefined) {
  return timeSeries
    .filter((point) => model === undefined || point.model === model)
    .map(({ date, requests, cost }) => ({ date, requests: Number(requests), nano: toNano(cost) }))
}

function providersOf(rows: readonly Generation[] | undefined): readonly string[] {
  return [...new Set(rows?.flatMap(({ provider }) => (provider === null ? [] : [provider])))].toSorted()
}

/** The sum of the loaded rows. It says so if more rows exist. */
function sumRow(rows: readonly Generation[], hasMore: boolean) {
  const nano = rows.reduce((sum, { total_cost }) => sum + toNano(total_cost), 0n)
  const tokens = rows.reduce((sum, { usage }) => sum + Number(usage.total_tokens), 0)
  return {
    time: hasMore ? `${count.format(rows.length)} loaded` : `${count.format(rows.length)} total`,
    tokens: count.format(tokens),
    cost: <Money nano={nano} />,
  }
}

/** Usage has sums by model and time only; with any other filter only the loaded rows can be summed up. */
function isWholeSpan({
  model: _model,
  period: _period,
  from: _from,
  to: _to,
  live: _live,
  ...others
}: RequestsSearch): boolean {
  return Object.values(others).every((filter) => filter === undefined)
}

function SpanSum({ buckets, span }: { readonly buckets: readonly Bucket[] | undefined; readonly span: TimeSpan }) {
  if (buckets === undefined) return null
  const listed = buckets.filter(({ startMs, endMs }) => startMs < span.listed.toMs && endMs > span.listed.fromMs)
  const requests = listed.reduce((sum, bucket) => sum + bucket.requests, 0)
  const nano = listed.reduce((sum, bucket) => sum + bucket.nano, 0n)
  return (
    <span data-sum="span" className="text-ink">
      {plural(requests, 'finished request')} · <Money nano={nano} />
    </span>
  )
}

function LiveButton({
  isLive,
  onToggle,
}: {
  readonly isLive: boolean
  readonly onToggle: (live: true | undefined) => void
}) {
  return (
    <Button
      aria-pressed={isLive}
      icon={isLive ? <Pause size={16} aria-hidden="true" /> : <Play size={16} aria-hidden="true" />}
      onClick={() => onToggle(isLive ? undefined : true)}
    >
      {isLive ? 'Pause' : 'Go live'}
    </Button>
  )
}

/** The days of the histogram, and the sum of their requests if usage can tell it. */
function HistogramLegend({
  buckets,
  span,
  search,
}: {
  readonly buckets: readonly Bucket[] | undefined
  readonly span: TimeSpan
  readonly search: RequestsSearch
}) {
  const [from, to] = [span.days.fromMs, span.days.toMs - 1].map((ms) => new Date(ms).toISOString().slice(0, 10))
  return (
    <div className="figures mt-1 flex flex-wrap justify-between gap-x-3 text-muted text-xs">
      <span className="whitespace-nowrap">{from}</span>
      <span data-legend className="order-last basis-full text-center sm:order-none sm:basis-auto">
        {isWholeSpan(search) ? <SpanSum buckets={buckets} span={span} /> : 'All finished requests of this period'}
        {`, by ${span.granularity} (UTC)`}
      </span>
      <span className="whitespace-nowrap">{to}</span>
    </div>
  )
}

function NoRequests() {
  const wallet = useWallet()
  return (
    <EmptyState
      icon={<Activity size={24} aria-hidden="true" />}
      title="No requests in this period"
      action={
        <Link to={mayChangeKeys(wallet) ? '/keys' : '/start'} className={buttonClass('primary')}>
          {mayChangeKeys(wallet) ? 'Create key' : 'Get started'}
        </Link>
      }
    >
      Requests appear here with their provider, duration, and receipt. Send one from the playground or your application.
    </EmptyState>
  )
}
