import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { overviewReportQuery, type ReportOf } from '../../api/reports.ts'
import { addMonths, monthName } from '../../lib/utc-days.ts'
import { Money } from '../../ui/money.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** The month as a whole, beside the month before. The table below shows errors. */
export function ReportSummary({ of }: { readonly of: ReportOf }) {
  const { data } = useQuery(overviewReportQuery(of))
  const tiles: readonly (readonly [string, ReactNode])[] = [
    ['Spend', data === undefined ? null : <Money usd={data.totalSpend} short />],
    [monthName(addMonths(of.month, -1)), data === undefined ? null : <Money usd={data.previousMonthSpend} short />],
    ['Requests', data === undefined ? null : Number(data.requests).toLocaleString('en')],
    ['Tokens', data === undefined ? null : Number(data.tokens).toLocaleString('en')],
  ]
  return (
    <dl className="mb-5 grid grid-cols-2 gap-3 sm:grid-cols-4">
      {tiles.map(([label, value]) => (
        <div key={label} className="rounded-lg border border-line bg-surface px-4 py-3">
          <dt className="text-muted text-xs">{label}</dt>
          <dd className="figures mt-1 font-semibold text-xl">{value ?? <Skeleton className="h-7 w-24" />}</dd>
        </div>
      ))}
    </dl>
  )
}
