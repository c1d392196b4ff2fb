import { Link } from '@tanstack/react-router'
import type { AuditEntry } from '../../api/audit.ts'
import type { Column } from '../../ui/column.ts'
import { Time } from '../../ui/time.tsx'
import { actionInWords, actorInWords, objectInWords } from './audit-words.ts'

export const auditColumns: readonly Column<AuditEntry>[] = [
  {
    id: 'at',
    header: 'Time',
    cell: ({ at }) => <Time iso={at} />,
    csv: ({ at }) => at,
    width: 120,
    onPhone: 'figure',
  },
  {
    id: 'action',
    header: 'Action',
    cell: ({ action, sequence }) => (
      <Link
        to="/audit/$sequence"
        params={{ sequence: String(sequence) }}
        search={true}
        className="rounded font-medium hover:underline"
      >
        {actionInWords(action)}
      </Link>
    ),
    csv: ({ action }) => action,
    onPhone: 'title',
  },
  { id: 'object', header: 'Object', cell: objectInWords, csv: objectInWords, onPhone: 'figure' },
  {
    id: 'actor',
    header: 'Actor',
    cell: ({ actor }) => actorInWords(actor),
    csv: ({ actor }) => actorInWords(actor),
    onPhone: 'figure',
  },
  {
    id: 'sequence',
    header: 'Number',
    cell: ({ sequence }) => Number(sequence).toLocaleString('en'),
    csv: ({ sequence }) => String(sequence),
    align: 'right',
    width: 100,
  },
  {
    id: 'hash',
    header: 'Hash',
    cell: ({ hash }) => <code className="font-mono text-xs">{hash}</code>,
    csv: ({ hash }) => hash,
    width: 300,
    isHidden: true,
  },
]
