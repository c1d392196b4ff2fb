import { Link } from '@tanstack/react-router'
import type { CustomerListing } from '../../../api/customers.ts'
import { exactUsd, toNano } from '../../../lib/money.ts'
import { Badge } from '../../../ui/badge.tsx'
import type { Column } from '../../../ui/column.ts'
import { Money } from '../../../ui/money.tsx'
import { Time } from '../../../ui/time.tsx'
import { nameOfCustomer } from './name-of-customer.ts'

const usd = (amount: CustomerListing['balance']) => exactUsd(toNano(amount))

/** A person's name, or an organization's slug. */
function otherNameOf({ kind, name, address }: CustomerListing): string {
  return kind === 'organization' ? (address ?? '') : name
}

export const customerColumns: readonly Column<CustomerListing>[] = [
  {
    id: 'customer',
    header: 'Customer',
    cell: (customer) => (
      <Link
        to="/operator/customers/$customerId"
        params={{ customerId: customer.id }}
        className="underline decoration-line-strong underline-offset-4 hover:decoration-accent"
      >
        {nameOfCustomer(customer)}
      </Link>
    ),
    csv: nameOfCustomer,
    onPhone: 'title',
  },
  { id: 'other', header: 'Name or slug', cell: otherNameOf, csv: otherNameOf },
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
    header: 'Balance (USD)',
    cell: ({ balance }) => <Money usd={balance} short />,
    csv: ({ balance }) => usd(balance),
    align: 'right',
    width: 138,
    onPhone: 'figure',
  },
  {
    id: 'held',
    header: 'On hold (USD)',
    cell: ({ held }) => <Money usd={held} short />,
    csv: ({ held }) => usd(held),
    align: 'right',
    width: 138,
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
