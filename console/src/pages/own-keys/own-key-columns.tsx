import { Link } from '@tanstack/react-router'
import type { OwnKey } from '../../api/own-keys.ts'
import type { Column } from '../../ui/column.ts'
import { Time } from '../../ui/time.tsx'
import { healthInWords, OwnKeyHealth } from './own-key-health.tsx'

export const ownKeyColumns: readonly Column<OwnKey>[] = [
  {
    id: 'name',
    header: 'Name',
    cell: ({ id, name }) => (
      <Link to="/own-keys/$ownKeyId" params={{ ownKeyId: id }} className="rounded font-medium hover:underline">
        {name}
      </Link>
    ),
    csv: ({ name }) => name,
    onPhone: 'title',
  },
  {
    id: 'url',
    header: 'Base URL',
    cell: ({ baseUrl }) => (
      <code title={baseUrl} className="font-mono text-xs">
        {baseUrl}
      </code>
    ),
    csv: ({ baseUrl }) => baseUrl,
  },
  {
    id: 'secret',
    header: 'Secret',
    cell: ({ keyMask }) => <code className="font-mono text-xs">{keyMask}</code>,
    csv: ({ keyMask }) => keyMask,
    width: 120,
  },
  {
    id: 'models',
    header: 'Models',
    cell: ({ modelMappings }) => modelMappings.filter(({ enabled }) => enabled).length.toLocaleString('en'),
    csv: ({ modelMappings }) => String(modelMappings.filter(({ enabled }) => enabled).length),
    align: 'right',
    width: 90,
    onPhone: 'figure',
  },
  {
    id: 'health',
    header: 'Status',
    cell: (key) => <OwnKeyHealth of={key} />,
    csv: healthInWords,
    width: 130,
    onPhone: 'figure',
  },
  {
    id: 'failures',
    header: 'Failures in a row',
    cell: ({ health }) => Number(health.consecutiveFailures).toLocaleString('en'),
    csv: ({ health }) => String(health.consecutiveFailures),
    align: 'right',
    width: 140,
  },
  {
    id: 'used',
    header: 'Last used',
    cell: ({ health }) => <Time iso={health.lastCheckedAt} />,
    csv: ({ health }) => health.lastCheckedAt ?? '',
    width: 120,
  },
]
