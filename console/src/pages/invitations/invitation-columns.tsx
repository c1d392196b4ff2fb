import type { Invitation } from '../../api/invitations.ts'
import { roleLabel } from '../../app/role-words.ts'
import { usdText } from '../../lib/budget-rule.ts'
import { Badge } from '../../ui/badge.tsx'
import type { Column } from '../../ui/column.ts'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'
import { InvitationActions } from './invitation-actions.tsx'
import { recipientOf } from './recipient-of.ts'

export const statusWords = {
  pending: ['Pending', 'accent'],
  accepted: ['Accepted', 'good'],
  expired: ['Expired', 'neutral'],
  revoked: ['Revoked', 'bad'],
} as const

export const invitationColumns: readonly Column<Invitation>[] = [
  {
    id: 'recipient',
    header: 'Invited',
    cell: (invitation) => <span className="truncate font-medium">{recipientOf(invitation)}</span>,
    csv: recipientOf,
    onPhone: 'title',
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status }) => <Badge tone={statusWords[status][1]}>{statusWords[status][0]}</Badge>,
    csv: ({ status }) => statusWords[status][0],
    width: 105,
    onPhone: 'figure',
  },
  {
    id: 'role',
    header: 'Role',
    cell: ({ role }) => roleLabel(role),
    csv: ({ role }) => roleLabel(role),
    width: 160,
    onPhone: 'figure',
  },
  {
    id: 'team',
    header: 'Team',
    cell: ({ team }) => team?.name ?? <span className="text-muted">None</span>,
    csv: ({ team }) => team?.name ?? '',
    width: 130,
  },
  {
    id: 'budget',
    header: 'Monthly budget',
    cell: ({ monthlyBudget }) =>
      monthlyBudget === null ? <span className="text-muted">None</span> : <Money usd={monthlyBudget} short />,
    csv: ({ monthlyBudget }) => usdText(monthlyBudget),
    align: 'right',
    width: 135,
  },
  {
    id: 'uses',
    header: 'Accepted by',
    cell: ({ uses, usesMax }) => `${uses} of ${usesMax}`,
    csv: ({ uses }) => String(uses),
    align: 'right',
    width: 110,
  },
  {
    id: 'expires',
    header: 'Expires',
    cell: ({ expiresAt }) => <Time iso={expiresAt} />,
    csv: ({ expiresAt }) => expiresAt,
    width: 110,
    onPhone: 'figure',
  },
  {
    id: 'inviter',
    header: 'Invited by',
    cell: ({ invitedBy }) => invitedBy.email,
    csv: ({ invitedBy }) => invitedBy.email,
    width: 180,
    isHidden: true,
  },
  { id: 'actions', header: 'Actions', cell: (invitation) => <InvitationActions of={invitation} />, width: 170 },
]
