import { Link } from '@tanstack/react-router'
import { exactUsd, toNano } from '../../lib/money.ts'
import { spendPeriods } from '../../lib/spend-periods.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/column.ts'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'
import { KeyState, stateInWords, stateOf } from './key-state.tsx'
import { KeyMenu } from './key-menu.tsx'
import { ownerWords } from './owner-words.ts'
import type { Key } from '../../api/keys.ts'

export const secretOf = ({ keyPrefix, keySuffix }: Key) => `${keyPrefix}…${keySuffix}`

const periods = new Map<string, string>(spendPeriods.map(({ unit, adverb }) => [adverb, `per ${unit}`]))

/** Who a key of an organization belongs to. */
export const ownerColumns: readonly Column<Key>[] = [
  {
    id: 'owner',
    header: 'Belongs to',
    cell: (key) => (
      <span className={key.shared === true ? 'text-muted' : undefined} title={key.member?.email}>
        {ownerWords(key)}
      </span>
    ),
    csv: (key) => key.member?.email ?? ownerWords(key),
    width: 150,
    onPhone: 'figure',
  },
  {
    id: 'team',
    header: 'Team',
    cell: ({ team }) => team?.name ?? <span className="text-muted">None</span>,
    csv: ({ team }) => team?.name ?? '',
    width: 130,
  },
]

export const keyColumns: readonly Column<Key>[] = [
  {
    id: 'name',
    header: 'Name',
    // A real link can be opened in a new tab, and screen readers find it.
    cell: ({ id, name, keyType }) => (
      <span className="flex min-w-0 items-center gap-2">
        <Link
          to="/keys/$keyId"
          params={{ keyId: id }}
          search={true}
          className="truncate rounded font-medium hover:underline"
        >
          {name}
        </Link>
        {keyType === 'management' ? <Badge tone="accent">Management</Badge> : null}
      </span>
    ),
    csv: ({ name }) => name,
    sort: 'name',
    onPhone: 'title',
  },
  {
    id: 'secret',
    header: 'Secret',
    cell: (key) => <code className="font-mono text-xs">{secretOf(key)}</code>,
    csv: secretOf,
    width: 180,
  },
  {
    id: 'state',
    header: 'Status',
    cell: (key) => <KeyState state={stateOf(key)} />,
    csv: stateInWords,
    width: 100,
    onPhone: 'figure',
  },
  {
    id: 'spent',
    header: 'Spend (USD)',
    cell: ({ usage }) => <Money usd={usage} />,
    csv: ({ usage }) => exactUsd(toNano(usage)),
    align: 'right',
    width: 140,
    onPhone: 'figure',
  },
  {
    id: 'limit',
    header: 'Spend limit (USD)',
    cell: limitOf,
    csv: ({ limit }) => (limit === null ? '' : exactUsd(toNano(limit))),
    align: 'right',
    width: 170,
    onPhone: 'figure',
  },
  {
    id: 'used',
    header: 'Last used',
    cell: ({ lastUsed }) => <Time iso={lastUsed} />,
    csv: ({ lastUsed }) => lastUsed ?? '',
    width: 110,
  },
  {
    id: 'created',
    header: 'Created',
    cell: ({ createdAt }) => <Time iso={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    sort: 'created',
    width: 110,
  },
  {
    id: 'expires',
    header: 'Expires',
    cell: ({ expiresAt }) => <Time iso={expiresAt} />,
    csv: ({ expiresAt }) => expiresAt ?? '',
    width: 130,
    isHidden: true,
  },
  {
    id: 'requests',
    header: 'Requests',
    cell: ({ requestCount }) => Number(requestCount).toLocaleString('en'),
    csv: ({ requestCount }) => String(requestCount),
    align: 'right',
    width: 110,
    isHidden: true,
  },
  { id: 'menu', header: 'Actions', cell: (key) => <KeyMenu of={key} />, align: 'right', width: 90 },
]

function limitOf({ limit, limit_reset: reset }: Key) {
  if (limit === null) return <span className="text-muted">None</span>
  return (
    <>
      <Money usd={limit} /> <span className="text-muted">{reset === null ? 'total' : periods.get(reset)}</span>
    </>
  )
}
