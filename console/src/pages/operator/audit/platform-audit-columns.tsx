import { Link } from '@tanstack/react-router'
import type { PlatformAuditEntry } from '../../../api/platform-audit.ts'
import type { Column } from '../../../ui/column.ts'
import { Time } from '../../../ui/time.tsx'
import { actionInWords, actorInWords, objectInWords } from '../../audit/audit-words.ts'
import { changeInWords } from '../../audit/change-rows.ts'
import { CustomerLink } from '../customer-link.tsx'

export const platformAuditColumns: readonly Column<PlatformAuditEntry>[] = [
  {
    id: 'at',
    header: 'Time',
    cell: ({ at }) => <Time iso={at} />,
    csv: ({ at }) => at,
    width: 110,
    onPhone: 'figure',
  },
  {
    id: 'actor',
    header: 'Actor',
    cell: ({ actor }) => <span title={actorInWords(actor)}>{actorInWords(actor)}</span>,
    csv: ({ actor }) => actorInWords(actor),
    width: 170,
    onPhone: 'figure',
  },
  {
    id: 'action',
    header: 'Action',
    cell: ({ action, sequence }) => (
      <Link
        to="/operator/audit-log/$sequence"
        params={{ sequence: String(sequence) }}
        search={true}
        className="rounded font-medium hover:underline"
      >
        {actionInWords(action)}
      </Link>
    ),
    csv: ({ action }) => action,
    width: 230,
    onPhone: 'title',
  },
  {
    id: 'customer',
    header: 'Customer',
    cell: ({ customer }) => (customer === null ? '–' : <CustomerLink customer={customer} />),
    csv: ({ customer }) => customer?.name ?? '',
    onPhone: 'figure',
  },
  {
    id: 'subject',
    header: 'Object',
    cell: (entry) => <span title={subjectInWords(entry)}>{subjectInWords(entry) || '–'}</span>,
    csv: subjectInWords,
    onPhone: 'figure',
  },
  {
    id: 'change',
    header: 'Change',
    cell: (entry) => <span title={changeInWords(entry)}>{changeInWords(entry)}</span>,
    csv: changeInWords,
    width: 250,
    onPhone: 'figure',
  },
]

/** What changed, by its name. A customer or its wallet is in a column of its own. */
export function subjectInWords(entry: PlatformAuditEntry): string {
  const models = entry.details?.['models']
  if (Array.isArray(models) && models.length > 0) return models.join(', ')
  if (entry.targetName !== null) return entry.targetName
  const isCustomer = entry.customer !== null && ['user', 'organization', 'wallet'].includes(entry.target?.kind ?? '')
  return isCustomer ? '' : objectInWords(entry)
}
