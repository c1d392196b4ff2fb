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
    phoneWidth: 180,
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => <Badge tone={states[status][1]}>{states[status][0]}</Badge>,
    csv: ({ status }) => states[status][0],
    width: 100,
    phoneWidth: 84,
  },
  {
    id: 'created',
    header: 'Started',
    cell: ({ createdAt }) => <Time iso={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    width: 120,
    phoneWidth: 92,
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
    header: 'Spend limit',
    cell: ({ spendQuotaUsd: usd }) => (usd === null ? <span className="text-muted">None</span> : <Money usd={usd} />),
    csv: ({ spendQuotaUsd: usd }) => (usd === null ? '' : exactUsd(toNano(usd))),
    align: 'right',
    width: 120,
  },
]

/** The part of a quota that is used. Without a quota, nothing is counted. */
function share({ quota, used }: InstitutionSession['requests']) {
  if (quota === null) return <span className="text-muted">No limit</span>
  return `${Number(used).toLocaleString('en')} of ${Number(quota).toLocaleString('en')}`
}
