import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { usageQuery } from '../../api/usage.ts'
import { useWallet } from '../../app/wallet.ts'
import { chartHeight, formatUsd, toNano } from '../../lib/money.ts'
import { plural } from '../../lib/plural.ts'
import { bucketsIn } from '../../lib/regroup-hours.ts'
import { stackOf } from '../../lib/stack.ts'
import { dayMs, startOfUtcDay } from '../../lib/utc-days.ts'
import { Chart } from '../../ui/chart.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

const days = 30

/** Daily spend of the last 30 days by model. */
export function SpendCard() {
  const wallet = useWallet()
  const [range] = useState(() => {
    const toMs = startOfUtcDay(Date.now()) + dayMs
    return { fromMs: toMs - days * dayMs, toMs }
  })
  const usage = useQuery(usageQuery(wallet, range, 'day'))
  const stack = useMemo(() => {
    if (usage.data === undefined) return undefined
    const entries = usage.data.timeSeries.map(({ date, model, cost }) => ({
      bucket: date,
      name: model,
      amount: toNano(cost),
    }))
    return stackOf(entries, bucketsIn('UTC', 'day', range), { height: chartHeight, words: formatUsd })
  }, [usage.data, range])
  return (
    <Card
      title="Spend, last 30 days"
      aside={
        <Link to="/usage" search={{ period: '30d' }} className="text-accent-strong text-sm hover:underline">
          View usage
        </Link>
      }
    >
      {usage.error === null ? null : <ErrorNote error={usage.error} onRetry={() => void usage.refetch()} />}
      {stack === undefined || usage.data === undefined ? (
        usage.error === null ? (
          <Skeleton className="h-[300px] w-full" />
        ) : null
      ) : (
        <Chart
          kind="bars"
          label="Spend by day and model"
          axisPrefix="$"
          series={stack.series}
          points={stack.points}
          aside={
            <span className="figures grow text-sm">
              <Money usd={usage.data.totals.spend} className="font-semibold" />
              <span className="text-muted">
                {' '}
                for {plural(Number(usage.data.totals.requests), 'request')} (days in UTC)
              </span>
            </span>
          }
        />
      )}
    </Card>
  )
}
