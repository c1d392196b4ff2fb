import type { InstitutionSession } from '../../api/institutions.ts'
import { exactUsd, toNano } from '../../lib/money.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/column.ts'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'

const states = {
  active: ['Live', 'good'],
  expired: ['Expired', 'neutral'],
  revoked: ['Revoked', 'bad'],
} as const

export const sessionColumns: readonly Column<InstitutionSession>[] = [
  {
    id: 'email',
    header: 'Person',
    cell: ({ email }) => <span title={email}>{email}</span>,
    csv: ({ email }) => email,
    onPhone: 'title',
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => <Badge tone={states[status][1]}>{states[status][0]}</Badge>,
    csv: ({ status }) => states[status][0],
    width: 100,
    onPhone: 'figure',
  },
  {
    id: 'created',
    header: 'Started',
    cell: ({ createdAt }) => <Time iso={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    width: 120,
    onPhone: 'figure',
  },
  {
    id: 'expires',
    header: 'Ends',
    cell: ({ expiresAt, revokedAt }) => <Time iso={revokedAt ?? expiresAt} />,
    csv: ({ expiresAt, revokedAt }) => revokedAt ?? expiresAt,
    width: 120,
  },
  {
    id: 'requests',
    header: 'Requests',
    cell: ({ requests }) => share(requests),
    csv: ({ requests }) => String(requests.used),
    align: 'right',
    width: 120,
  },
  {
    id: 'tokens',
    header: 'Tokens',
    cell: ({ tokens }) => share(tokens),
    csv: ({ tokens }) => String(tokens.used),
    align: 'right',
    width: 150,
  },
  {
    id: 'spend',
    header: 'Spend limit (USD)',
    cell: ({ spendQuotaUsd: usd }) => (usd === null ? <span className="text-muted">None</span> : <Money usd={usd} />),
    csv: ({ spendQuotaUsd: usd }) => (usd === null ? '' : exactUsd(toNano(usd))),
    align: 'right',
    width: 170,
  },
  {
    id: 'month',
    header: 'Spend this month (USD)',
    cell: ({ monthlySpend }) => <MonthlySpend of={monthlySpend} />,
    csv: ({ monthlySpend }) => exactUsd(toNano(monthlySpend.usedUsd)),
    align: 'right',
    width: 210,
  },
]

/** What all sessions of the person spent this month, and the quota if there is one. */
function MonthlySpend({ of: { quotaUsd, usedUsd } }: { readonly of: InstitutionSession['monthlySpend'] }) {
  if (quotaUsd === null) return <Money usd={usedUsd} />
  return (
    <>
      <Money usd={usedUsd} /> of <Money usd={quotaUsd} />
    </>
  )
}

/** The part of a quota that is used. Without a quota, nothing is counted. */
function share({ quota, used }: InstitutionSession['requests']) {
  if (quota === null) return <span className="text-muted">No limit</span>
  return `${Number(used).toLocaleString('en')} of ${Number(quota).toLocaleString('en')}`
}
