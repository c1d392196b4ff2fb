import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { usageQuery } from '../api/usage.ts'
import { chartHeight, type ExactNumber, formatUsd, toNano } from '../lib/money.ts'
import { plural } from '../lib/plural.ts'
import { bucketsIn } from '../lib/regroup-hours.ts'
import { stackOf } from '../lib/stack.ts'
import { type DayRange, lastUtcDays } from '../lib/utc-days.ts'
import { Chart } from '../ui/chart.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { Money } from '../ui/money.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useWallet } from './wallet.ts'

const days = 30

/** Daily spend of the last 30 days by model: of the wallet, or of one of its keys. */
export function SpendByDay({ keyId, height = 240 }: { readonly keyId?: string; readonly height?: number }) {
  const wallet = useWallet()
  const [range] = useState(() => lastUtcDays(days, Date.now()))
  const { data, error, refetch } = useQuery(usageQuery(wallet, range, 'day', keyId))
  const usage = useMemo(() => {
    if (data === undefined) return undefined
    const { spend, requests } = data.totals
    return { days: data.timeSeries.map(({ date, model, cost }) => ({ date, name: model, cost })), spend, requests }
  }, [data])
  if (error !== null) return <ErrorNote error={error} onRetry={() => void refetch()} />
  return <SpendBars label="Spend by day and model" height={height} range={range} usage={usage} />
}

/** The sum above the chart and the legend below it. */
const frameHeight = 60

/** What was spent on one day, such as 2026-11-19, for one of the bars of the stack. */
interface DaySpend {
  readonly date: string
  readonly name: string
  readonly cost: ExactNumber
}

/**
 * Daily spend as bars, with the sum above them. Usage is undefined while it loads. A file of its own would be one more
 * to load before the overview.
 */
export function SpendBars({
  label,
  height,
  range,
  usage,
}: {
  readonly label: string
  readonly height: number
  readonly range: DayRange
  readonly usage:
    | { readonly days: readonly DaySpend[]; readonly spend: ExactNumber; readonly requests: ExactNumber }
    | undefined
}) {
  const stack = useMemo(() => {
    if (usage === undefined) return undefined
    const entries = usage.days.map(({ date, name, cost }) => ({ bucket: date, name, amount: toNano(cost) }))
    return stackOf(entries, bucketsIn('UTC', 'day', range), { height: chartHeight, words: formatUsd })
  }, [usage, range])
  if (stack === undefined || usage === undefined) {
    return (
      <div style={{ height: height + frameHeight }}>
        <Skeleton className="h-full w-full" />
      </div>
    )
  }
  return (
    <Chart
      kind="bars"
      label={label}
      height={height}
      axisPrefix="$"
      series={stack.series}
      points={stack.points}
      aside={
        <span className="figures grow text-sm">
          <Money usd={usage.spend} className="font-semibold" short />
          <span className="text-muted"> for {plural(Number(usage.requests), 'request')} (days in UTC)</span>
        </span>
      }
    />
  )
}
