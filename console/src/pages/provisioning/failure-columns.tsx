import type { ScimFailure } from '../../api/provisioning.ts'
import type { Column } from '../../ui/column.ts'
import { Time } from '../../ui/time.tsx'

export const failureColumns: readonly Column<ScimFailure>[] = [
  {
    id: 'detail',
    header: 'Error',
    cell: ({ detail }) => <span title={detail}>{detail}</span>,
    csv: ({ detail }) => detail,
    onPhone: 'title',
  },
  {
    id: 'request',
    header: 'Request',
    cell: ({ request }) => (
      <code className="font-mono text-xs" title={request}>
        {request}
      </code>
    ),
    csv: ({ request }) => request,
    width: 260,
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => String(status),
    csv: ({ status }) => String(status),
    width: 90,
    onPhone: 'figure',
  },
  {
    id: 'at',
    header: 'Time',
    cell: ({ at }) => <Time iso={at} />,
    csv: ({ at }) => at,
    width: 140,
    onPhone: 'figure',
  },
]
