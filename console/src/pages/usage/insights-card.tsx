import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, dataOf } from '../../api/client.ts'
import { useWallet } from '../../app/wallet.ts'
import { formatUsd, toNano } from '../../lib/money.ts'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'

type Insights = Awaited<ReturnType<typeof readInsights>>

/** The last 30 days compared with the 30 days before, and provider performance. */
export function InsightsCard() {
  const wallet = useWallet()
  const insights = useQuery({
    queryKey: ['insights', wallet.organizationId],
    queryFn: () => readInsights(wallet.query),
  })
  const { data } = insights
  return (
    <Card
      title="Last 30 days"
      aside={
        data === undefined ? null : (
          <span className="text-muted text-xs">
            Updated <Time iso={data.generatedAt} />
          </span>
        )
      }
    >
      {insights.error === null ? null : <ErrorNote error={insights.error} onRetry={() => void insights.refetch()} />}
      {data === undefined ? (
        insights.error === null ? (
          <Skeleton className="h-20 w-full" />
        ) : null
      ) : (
        <Facts data={data} />
      )}
    </Card>
  )
}

function readInsights(query: { readonly organization?: string }) {
  return dataOf(api.GET('/v1/insights', { params: { query: { ...query, period: '30d' } } }))
}

function Facts({ data }: { readonly data: Insights }) {
  const { performance, cacheSavings } = data
  return (
    <>
      <p className="mb-4 text-sm">{explained(data)}</p>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-4 sm:flex sm:flex-wrap">
        <Fact label="Time to first token (p50)">{milliseconds(performance.p50FirstTokenMs)}</Fact>
        <Fact label="Time to first token (p95)">{milliseconds(performance.p95FirstTokenMs)}</Fact>
        <Fact label="Failed requests">{`${(Number(performance.errorRate) * 100).toFixed(1)}%`}</Fact>
        <Fact label="Cache savings">
          <Money usd={cacheSavings} />
        </Fact>
      </dl>
    </>
  )
}

/** A one-sentence summary, from the sums only. */
function explained({ totals, previousTotals, topModels }: Insights): string {
  const [now, before] = [toNano(totals.spend), toNano(previousTotals.spend)]
  const change =
    before === 0n
      ? `Spend was ${formatUsd(now)}, with none in the previous 30 days.`
      : now === before
        ? `Spend was ${formatUsd(now)}, the same as in the previous 30 days.`
        : `Spend was ${formatUsd(now)}, ${formatUsd(now > before ? now - before : before - now)} ${now > before ? 'more' : 'less'} than in the previous 30 days.`
  const [first] = topModels
  if (first === undefined || now === 0n) return change
  return `${change} Top model: ${first.model}, ${formatUsd(toNano(first.spend))} (${Number(first.sharePct).toFixed(0)}%).`
}

function Fact({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="text-muted text-xs">{label}</dt>
      <dd className="figures mt-1">{children}</dd>
    </div>
  )
}

function milliseconds(value: number | `${number}` | null): string {
  return value === null ? 'No data' : `${Math.round(Number(value))} ms`
}
