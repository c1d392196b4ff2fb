import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { type Usage, usageQuery } from '../../api/usage.ts'
import { useWallet } from '../../app/wallet.ts'
import { daySpanOf } from '../../lib/period.ts'
import { Badge } from '../../ui/badge.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ChangesCard } from './changes-card.tsx'
import { InsightsCard } from './insights-card.tsx'
import { LedgerCheck } from './ledger-check.tsx'
import type { UsageSearch } from './search.ts'
import { UsageChart } from './usage-chart.tsx'
import { type UsageChange, UsageFilters } from './usage-filters.tsx'
import { monthOf, rangeOf } from './usage-range.ts'
import { UsageTables } from './usage-tables.tsx'

const count = new Intl.NumberFormat('en')

/** Usage of a period: total, by day or hour, by model, key and application. */
export function UsagePage() {
  const wallet = useWallet()
  const search = useSearch({ from: '/app/usage' })
  const navigate = useNavigate()
  const [openedAtMs] = useState(() => Date.now())
  const period = search.period ?? 'month'
  const range = useMemo(() => rangeOf(period, openedAtMs), [period, openedAtMs])
  const usage = useQuery({ ...usageQuery(wallet, range, 'day'), placeholderData: keepPreviousData })
  const change = (next: UsageChange) =>
    void navigate({ to: '.', search: (old) => ({ ...old, ...next }) as UsageSearch, replace: true })
  return (
    <Page
      title="Usage"
      description="Spend, tokens, and requests. Days start at midnight UTC; the time zone changes only the chart."
    >
      <UsageFilters search={search} range={range} onChange={change} />
      {usage.error === null ? null : <ErrorNote error={usage.error} onRetry={() => void usage.refetch()} />}
      {usage.error !== null ? null : (
        <div className="flex flex-col gap-4">
          <Totals usage={usage.data} month={monthOf(period, openedAtMs)} />
          <Card title={titleOf(search)}>
            <UsageChart usage={usage.data} range={range} search={search} />
          </Card>
          <UsageTables
            usage={usage.data}
            days={daySpanOf(range)}
            by={search.by ?? 'model'}
            onBy={(by) => change({ by })}
          />
          <ChangesCard range={range} />
          <InsightsCard />
        </div>
      )}
    </Page>
  )
}

function titleOf({ metric = 'spend', size }: UsageSearch): string {
  const what = { spend: 'Spend', tokens: 'Tokens', requests: 'Requests' }[metric]
  return `${what} by ${size ?? 'day'} and model`
}

function Totals({ usage, month }: { readonly usage: Usage | undefined; readonly month: string | null }) {
  const totals = usage?.totals
  return (
    <Card>
      <div className="flex flex-wrap items-end justify-between gap-4">
        <dl className="grid grid-cols-2 gap-x-8 gap-y-4 sm:flex sm:flex-wrap sm:items-end">
          <div>
            <dt className="text-muted text-xs">Spend</dt>
            <dd className="mt-1 h-7 font-semibold text-xl">
              {totals === undefined ? <Skeleton className="h-6 w-28" /> : <Money usd={totals.spend} short />}
            </dd>
          </div>
          {(
            [
              ['Requests', totals?.requests],
              ['Input tokens', totals?.promptTokens],
              ['Output tokens', totals?.completionTokens],
            ] as const
          ).map(([label, value]) => (
            <div key={label}>
              <dt className="text-muted text-xs">{label}</dt>
              <dd className="figures mt-1 h-7 leading-7">
                {value === undefined ? <Skeleton className="h-5 w-16" /> : count.format(Number(value))}
              </dd>
            </div>
          ))}
        </dl>
        {usage === undefined ? null : month === null ? (
          <Badge>Days in UTC</Badge>
        ) : (
          <LedgerCheck month={month} spend={usage.totals.spend} />
        )}
      </div>
    </Card>
  )
}
