import { useQuery } from '@tanstack/react-query'
import { useWallet } from '../../app/wallet.ts'
import { mayChangeBreaker } from '../../app/wallet-rights.ts'
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

/** The spend breaker of the person or the organization: limits per minute and per hour for all keys together. */
export function BreakerPage() {
  const wallet = useWallet()
  const isPersonal = wallet.organizationId === null
  return (
    <Page
      title="Spend breaker"
      description={
        isPersonal
          ? 'Caps the combined spend of all your API keys, including organization keys, per minute and per hour (UTC).'
          : `Caps the combined spend of all API keys of ${wallet.name} per minute and per hour (UTC).`
      }
    >
      {mayChangeBreaker(wallet) ? (
        // Another wallet has other limits, so the form starts anew.
        <Limits key={wallet.organizationId} organizationId={wallet.organizationId} />
      ) : (
        <Card title={wallet.name}>
          <p className="text-muted text-sm">Your role can't view this organization's spend breaker.</p>
        </Card>
      )}
    </Page>
  )
}

function Limits({ organizationId }: { readonly organizationId: string | null }) {
  const breaker = useQuery({ ...breakerQuery({ organizationId }), refetchInterval: refreshMs })
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
          {data === undefined ? (
            <Skeleton className="h-40 w-full" />
          ) : (
            <BreakerForm breaker={data} organizationId={organizationId} />
          )}
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
