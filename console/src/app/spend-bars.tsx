import { useMemo } from 'react'
import { chartHeight, type ExactNumber, formatUsd, toNano } from '../lib/money.ts'
import { plural } from '../lib/plural.ts'
import { bucketsIn } from '../lib/regroup-hours.ts'
import { stackOf } from '../lib/stack.ts'
import type { DayRange } from '../lib/utc-days.ts'
import { Chart } from '../ui/chart.tsx'
import { Money } from '../ui/money.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** The sum above the chart and the legend below it. */
const frameHeight = 60

/** What was spent on one day, such as 2026-11-19, for one of the bars of the stack. */
interface DaySpend {
  readonly date: string
  readonly name: string
  readonly cost: ExactNumber
}

/** Daily spend as bars, with the sum above them. Usage is undefined while it loads. */
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
