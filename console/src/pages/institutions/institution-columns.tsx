import { Link } from '@tanstack/react-router'
import type { InstitutionKey } from '../../api/institutions.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/column.ts'
import { Time } from '../../ui/time.tsx'

export const institutionColumns: readonly Column<InstitutionKey>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, name }) => (
      <Link to="/institutions/$keyId" params={{ keyId: id }} className="rounded font-medium hover:underline">
        {name}
      </Link>
    ),
    csv: ({ name }) => name,
    onPhone: 'title',
  },
  {
    id: 'domains',
    header: 'Email domains',
    cell: ({ eduConfig }) => {
      const domains = eduConfig.allowedDomains.join(', ')
      return <span title={domains}>{domains}</span>
    },
    csv: ({ eduConfig }) => eduConfig.allowedDomains.join(' '),
  },
  {
    id: 'secret',
    header: 'Secret',
    cell: ({ keyPrefix, keySuffix }) => (
      <code className="font-mono text-xs">
        {keyPrefix}…{keySuffix}
      </code>
    ),
    csv: ({ keyPrefix, keySuffix }) => `${keyPrefix}…${keySuffix}`,
    width: 190,
  },
  {
    id: 'state',
    header: 'Status',
    cell: ({ enabled }) => (enabled ? <Badge tone="good">Active</Badge> : <Badge>Disabled</Badge>),
    csv: ({ enabled }) => (enabled ? 'Active' : 'Disabled'),
    width: 110,
    onPhone: 'figure',
  },
  {
    id: 'sessions',
    header: 'Live sessions',
    cell: ({ activeSessions }) => Number(activeSessions).toLocaleString('en'),
    csv: ({ activeSessions }) => String(activeSessions),
    align: 'right',
    width: 130,
    onPhone: 'figure',
  },
  {
    id: 'created',
    header: 'Created',
    cell: ({ createdAt }) => <Time iso={createdAt} />,
    csv: ({ createdAt }) => createdAt,
    width: 130,
  },
]
