import { Link } from '@tanstack/react-router'
import type { CustomerListing } from '../../../api/customers.ts'
import { exactUsd, toNano } from '../../../lib/money.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/column.ts'
import { Money } from '../../../ui/money.tsx'
import { Time } from '../../../ui/time.tsx'

const usd = (amount: CustomerListing['balance']) => exactUsd(toNano(amount))

export const customerColumns: readonly Column<CustomerListing>[] = [
  {
    id: 'address',
    header: 'Customer',
    cell: ({ id, address }) => (
      <Link
        to="/operator/customers/$customerId"
        params={{ customerId: id }}
        className="underline decoration-line-strong underline-offset-4 hover:decoration-accent"
      >
        {address ?? 'Deleted user'}
      </Link>
    ),
    csv: ({ address }) => address ?? '',
    onPhone: 'title',
  },
  { id: 'name', header: 'Name', cell: ({ name }) => name, csv: ({ name }) => name },
  {
    id: 'kind',
    header: 'Type',
    cell: ({ kind }) => (kind === 'user' ? 'User' : 'Organization'),
    csv: ({ kind }) => kind,
    width: 140,
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ suspended_at: at }) => <CustomerState isSuspended={at !== null} />,
    csv: ({ suspended_at: at }) => (at === null ? 'active' : 'suspended'),
    width: 110,
    onPhone: 'figure',
  },
  {
    id: 'balance',
    header: 'Balance',
    cell: ({ balance }) => <Money usd={balance} short />,
    csv: ({ balance }) => usd(balance),
    align: 'right',
    width: 130,
    onPhone: 'figure',
  },
  {
    id: 'held',
    header: 'On hold',
    cell: ({ held }) => <Money usd={held} short />,
    csv: ({ held }) => usd(held),
    align: 'right',
    width: 110,
  },
  {
    id: 'created',
    header: 'Created',
    cell: ({ created_at: at }) => <Time iso={at} />,
    csv: ({ created_at: at }) => at,
    width: 130,
  },
  {
    id: 'id',
    header: 'ID',
    cell: ({ id }) => <code className="font-mono text-xs">{id}</code>,
    csv: ({ id }) => id,
    isHidden: true,
  },
]

export function CustomerState({ isSuspended }: { readonly isSuspended: boolean }) {
  return isSuspended ? <Badge tone="bad">Suspended</Badge> : <Badge tone="good">Active</Badge>
}
