import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { overviewReportQuery, type ReportOf } from '../../api/reports.ts'
import { addMonths, monthName } from '../../lib/utc-days.ts'
import { Money } from '../../ui/money.tsx'
import { Tiles } from '../../ui/tiles.tsx'

/** The month as a whole, beside the month before. The table below shows errors. */
export function ReportSummary({ of }: { readonly of: ReportOf }) {
  const { data } = useQuery(overviewReportQuery(of))
  const tiles: readonly (readonly [string, ReactNode])[] = [
    ['Spend', data === undefined ? null : <Money usd={data.totalSpend} short />],
    [monthName(addMonths(of.month, -1)), data === undefined ? null : <Money usd={data.previousMonthSpend} short />],
    ['Requests', data === undefined ? null : Number(data.requests).toLocaleString('en')],
    ['Tokens', data === undefined ? null : Number(data.tokens).toLocaleString('en')],
  ]
  return <Tiles tiles={tiles} />
}
