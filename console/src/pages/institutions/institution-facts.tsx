import type { ReactNode } from 'react'
import type { InstitutionKey } from '../../api/institutions.ts'
import { plural } from '../../lib/plural.ts'
import { Badge } from '../../ui/badge.tsx'
import { Money } from '../../ui/money.tsx'
import { Card } from '../../ui/page.tsx'
import { Time } from '../../ui/time.tsx'

/** The terms of an institution key. */
export function InstitutionFacts({ of: { eduConfig: terms, ...key } }: { readonly of: InstitutionKey }) {
  const facts: readonly (readonly [string, ReactNode])[] = [
    ['Status', key.enabled ? <Badge tone="good">Active</Badge> : <Badge>Disabled</Badge>],
    [
      'Secret',
      <code className="font-mono text-xs">
        {key.keyPrefix}…{key.keySuffix}
      </code>,
    ],
    ['Created', <Time iso={key.createdAt} />],
    ['Email domains', terms.allowedDomains.join(', ')],
    ['Session length', duration(Number(terms.sessionTtlSeconds))],
    ['Code lifetime', duration(Number(terms.verificationTtlSeconds))],
    ['Sessions per person', count(terms.maxSessionsPerEmailPerKey)],
    ['Codes per network (15 minutes)', count(terms.codesPerNetworkPer15Minutes)],
    ['Codes per hour', count(terms.codesPerHour)],
    ['Requests per session', count(terms.sessionRequestQuota)],
    ['Tokens per session', count(terms.sessionTokenQuota)],
    [
      'Spend per session',
      terms.sessionSpendQuotaUsd === null ? 'No limit' : <Money usd={terms.sessionSpendQuotaUsd} />,
    ],
    [
      'Monthly spend per person',
      terms.monthlySpendQuotaUsd === null ? 'No limit' : <Money usd={terms.monthlySpendQuotaUsd} />,
    ],
  ]
  return (
    <Card>
      <dl className="figures grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-5">
        {facts.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-muted text-xs">{label}</dt>
            <dd className="mt-0.5 break-words">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  )
}

function count(quota: InstitutionKey['eduConfig']['sessionRequestQuota']): string {
  return quota === null ? 'No limit' : Number(quota).toLocaleString('en')
}

function duration(seconds: number): string {
  if (seconds % 86_400 === 0) return plural(seconds / 86_400, 'day')
  if (seconds % 3_600 === 0) return plural(seconds / 3_600, 'hour')
  return seconds % 60 === 0 ? plural(seconds / 60, 'minute') : plural(seconds, 'second')
}
