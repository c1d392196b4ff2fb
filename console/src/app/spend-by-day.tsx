import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { usageQuery } from '../api/usage.ts'
import { chartHeight, formatUsd, toNano } from '../lib/money.ts'
import { plural } from '../lib/plural.ts'
import { bucketsIn } from '../lib/regroup-hours.ts'
import { stackOf } from '../lib/stack.ts'
import { dayMs, startOfUtcDay } from '../lib/utc-days.ts'
import { Chart } from '../ui/chart.tsx'
import { ErrorNote } from '../ui/error-note.tsx'
import { Money } from '../ui/money.tsx'
import { Skeleton } from '../ui/skeleton.tsx'
import { useWallet } from './wallet.ts'

const days = 30
/** The sum above the chart and the legend below it. */
const frameHeight = 60

/** Daily spend of the last 30 days by model: of the wallet, or of one of its keys. */
export function SpendByDay({ keyId, height = 240 }: { readonly keyId?: string; readonly height?: number }) {
  const wallet = useWallet()
  const [range] = useState(() => {
    const toMs = startOfUtcDay(Date.now()) + dayMs
    return { fromMs: toMs - days * dayMs, toMs }
  })
  const usage = useQuery(usageQuery(wallet, range, 'day', keyId))
  const stack = useMemo(() => {
    if (usage.data === undefined) return undefined
    const entries = usage.data.timeSeries.map(({ date, model, cost }) => ({
      bucket: date,
      name: model,
      amount: toNano(cost),
    }))
    return stackOf(entries, bucketsIn('UTC', 'day', range), { height: chartHeight, words: formatUsd })
  }, [usage.data, range])
  if (usage.error !== null) return <ErrorNote error={usage.error} onRetry={() => void usage.refetch()} />
  if (stack === undefined || usage.data === undefined) {
    return (
      <div style={{ height: height + frameHeight }}>
        <Skeleton className="h-full w-full" />
      </div>
    )
  }
  const { spend, requests } = usage.data.totals
  return (
    <Chart
      kind="bars"
      label="Spend by day and model"
      height={height}
      axisPrefix="$"
      series={stack.series}
      points={stack.points}
      aside={
        <span className="figures grow text-sm">
          <Money usd={spend} className="font-semibold" short />
          <span className="text-muted"> for {plural(Number(requests), 'request')} (days in UTC)</span>
        </span>
      }
    />
  )
}
