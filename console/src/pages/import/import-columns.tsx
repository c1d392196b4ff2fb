import { absoluteLink } from '../../api/invitations.ts'
import type { ImportedRow } from '../../api/import-members.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/column.ts'
import { CopyButton } from '../../ui/copy-button.tsx'

const words = {
  invite: ['Invite', 'good'],
  change: ['Change', 'warn'],
  unchanged: ['Unchanged', 'neutral'],
  error: ['Error', 'bad'],
} as const

// Errors first: they are what a person must mend.
const order = ['error', 'change', 'invite', 'unchanged']

export const importColumns: readonly Column<ImportedRow>[] = [
  {
    id: 'row',
    header: 'Row',
    cell: ({ row }) => Number(row).toLocaleString('en'),
    csv: ({ row }) => String(row),
    sort: (one, other) => Number(one.row) - Number(other.row),
    align: 'right',
    width: 80,
  },
  {
    id: 'email',
    header: 'Email',
    cell: ({ email }) => email ?? <span className="text-muted">Missing</span>,
    csv: ({ email }) => email ?? '',
    onPhone: 'title',
  },
  {
    id: 'outcome',
    header: 'Result',
    cell: ({ outcome }) => <Badge tone={words[outcome][1]}>{words[outcome][0]}</Badge>,
    csv: ({ outcome }) => words[outcome][0],
    sort: (one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome),
    width: 120,
    onPhone: 'figure',
  },
  {
    id: 'reason',
    header: 'Details',
    cell: ({ reason, url, email }) =>
      url === null ? (
        reason
      ) : (
        <span className="flex items-center gap-1">
          Not emailed. Copy the link
          <CopyButton text={absoluteLink(url)} label={`Copy link for ${email ?? ''}`} />
        </span>
      ),
    csv: ({ reason, url }) => reason ?? (url === null ? '' : absoluteLink(url)),
    onPhone: 'figure',
  },
]
