import { useQuery } from '@tanstack/react-query'
import { type Nano, toNano } from '../../lib/money.ts'
import { Badge } from '../../ui/badge.tsx'
import { ErrorNote } from '../../ui/error-note.tsx'
import { Money } from '../../ui/money.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { ShareBar } from '../../ui/share-bar.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { BreakerForm } from './breaker-form.tsx'
import { isLimitReached } from './is-limit-reached.ts'
import { type Breaker, breakerQuery } from './read-breaker.ts'

const refreshMs = 5_000

/** The spend breaker of the person: limits per minute and per hour for all keys together. */
export function BreakerPage() {
  return (
    <Page
      title="Spend breaker"
      description="Caps the combined spend of all your API keys, including organization keys, per minute and per hour (UTC)."
    >
      <Limits />
    </Page>
  )
}

function Limits() {
  const breaker = useQuery({ ...breakerQuery, refetchInterval: refreshMs })
  const { data } = breaker
  return (
    <>
      {breaker.error === null ? null : <ErrorNote error={breaker.error} onRetry={() => void breaker.refetch()} />}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Card title="Current spend" aside={data === undefined ? undefined : <State breaker={data} />}>
          {data === undefined ? (
            <Skeleton className="h-24 w-full" />
          ) : (
            <div className="flex flex-col gap-5">
              <Meter
                label="This minute"
                spent={toNano(data.liveSpend.minuteSpend)}
                limit={toNano(data.resolvedSettings.cbMinuteUsd)}
                isOn={data.resolvedSettings.cbEnabled}
              />
              <Meter
                label="This hour"
                spent={toNano(data.liveSpend.hourSpend)}
                limit={toNano(data.resolvedSettings.cbHourlyUsd)}
                isOn={data.resolvedSettings.cbEnabled}
              />
            </div>
          )}
        </Card>
        <Card title="Limits">
          {data === undefined ? <Skeleton className="h-40 w-full" /> : <BreakerForm breaker={data} />}
        </Card>
      </div>
    </>
  )
}

function State({ breaker: { resolvedSettings, liveSpend } }: { readonly breaker: Breaker }) {
  if (!resolvedSettings.cbEnabled) return <Badge>Off</Badge>
  return isLimitReached(resolvedSettings, liveSpend) ? (
    <Badge tone="bad">Limit reached</Badge>
  ) : (
    <Badge tone="good">On</Badge>
  )
}

interface MeterProps {
  readonly label: string
  readonly spent: Nano
  readonly limit: Nano
  readonly isOn: boolean
}

/** Spent and held amounts against a limit. The bar repeats the figures. */
function Meter({ label, spent, limit, isOn }: MeterProps) {
  const percent = limit === 0n ? 100 : Number((spent * 100n) / limit)
  return (
    <div>
      <div className="mb-1.5 flex items-baseline justify-between gap-3 text-sm">
        <span>{label}</span>
        <span className="text-muted">
          <Money nano={spent} className="font-medium text-ink" /> of <Money nano={limit} />
          {isOn ? '' : ' (not enforced)'}
        </span>
      </div>
      <ShareBar percent={percent} label={`${label}: ${percent}% of the limit`} />
    </div>
  )
}
