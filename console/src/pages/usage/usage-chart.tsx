import { useQueries } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Usage, usageQuery } from '../../api/usage.ts'
import { useWallet } from '../../app/wallet.ts'
import { chartHeight, formatUsd, toNano } from '../../lib/money.ts'
import { bucketIn, bucketsIn } from '../../lib/regroup-hours.ts'
import { stackOf } from '../../lib/stack.ts'
import { type DayRange, daysIn } from '../../lib/utc-days.ts'
import { Chart } from '../../ui/chart.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { Metric, UsageSearch } from './search.ts'
import { hourBarsDaysMax, regroupDaysMax } from './usage-filters.tsx'
import { weeksOf } from './usage-range.ts'

type Point = Usage['timeSeries'][number]

const count = new Intl.NumberFormat('en')

const draws = {
  spend: { height: chartHeight, words: formatUsd },
  tokens: { height: Number, words: (amount: bigint) => count.format(amount) },
  requests: { height: Number, words: (amount: bigint) => count.format(amount) },
} as const satisfies Record<Metric, { height: (amount: bigint) => number; words: (amount: bigint) => string }>

/**
 * The time series of a range, stacked by model. In a time zone other than UTC the hours are regrouped; the total stays
 * the same.
 */
export function UsageChart({
  usage,
  range,
  search,
}: {
  readonly usage: Usage | undefined
  readonly range: DayRange
  readonly search: UsageSearch
}) {
  const wallet = useWallet()
  const { metric = 'spend' } = search
  const days = daysIn(range)
  const zone = days <= regroupDaysMax ? (search.zone ?? 'UTC') : 'UTC'
  const size = days <= hourBarsDaysMax ? (search.size ?? 'day') : 'day'
  const isByHour = zone !== 'UTC' || size === 'hour'
  const weeks = useQueries({
    queries: (isByHour ? weeksOf(range) : []).map((week) => usageQuery(wallet, week, 'hour')),
    combine: (results) => ({
      series: results.every(({ data }) => data !== undefined)
        ? results.flatMap(({ data }) => data?.timeSeries ?? [])
        : undefined,
      error: results.find(({ error }) => error !== null)?.error ?? null,
    }),
  })
  const series = isByHour ? weeks.series : usage?.timeSeries
  const stack = useMemo(() => {
    if (series === undefined) return undefined
    const entries = series.map((point) => ({
      bucket: bucketIn(zone, size, point.date),
      name: point.model,
      amount: amountOf(point, metric),
    }))
    return stackOf(entries, bucketsIn(zone, size, range), draws[metric])
  }, [series, zone, size, range, metric])
  if (weeks.error !== null) return <ErrorNote error={weeks.error} />
  if (stack === undefined) return <Skeleton className="h-[320px] w-full" />
  return (
    <Chart
      kind="bars"
      label={`${metric} by ${size} and model, ${zone}`}
      timeLabel={`Time (${zone})`}
      {...(metric === 'spend' ? { axisPrefix: '$' } : {})}
      series={stack.series}
      points={stack.points}
      aside={
        <span className="figures grow text-sm" data-sum="chart">
          {metric === 'spend' ? <Money nano={stack.sum} className="font-semibold" /> : count.format(stack.sum)}
          <span className="text-muted"> total, {zone === 'UTC' ? 'UTC' : `UTC days shown in ${zone}`}</span>
        </span>
      }
    />
  )
}

function amountOf(point: Point, metric: Metric): bigint {
  if (metric === 'spend') return toNano(point.cost)
  return BigInt(metric === 'tokens' ? point.tokens : point.requests)
}
