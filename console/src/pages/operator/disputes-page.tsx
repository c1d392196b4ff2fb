import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { ShieldQuestion } from 'lucide-react'
import { type Dispute, disputesQuery } from '../../api/operator.ts'
import { TabFrame } from '../../app/tab-frame.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Charged } from '../../ui/charged.tsx'
import type { Column } from '../../ui/column.ts'
import { DataTable } from '../../ui/data-table.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Time } from '../../ui/time.tsx'
import { CustomerLink, customerWords } from './customer-link.tsx'
import { DisputeDeadline } from './dispute-deadline.tsx'
import { wordsOf } from './dispute-words.ts'

/** Payments that a bank has taken back or asks about, those to answer first. */
export function DisputesPage() {
  const disputes = useQuery(disputesQuery)
  return (
    <TabFrame
      title="Orders"
      tab="Disputes"
      description="Answer disputes in the payment provider's dashboard before their deadline."
    >
      <DataTable
        name="disputes"
        label="Disputes"
        columns={columns}
        rows={disputes.data?.data}
        rowId={({ id }) => id}
        error={disputes.error}
        onRetry={() => void disputes.refetch()}
        empty={
          <EmptyState icon={<ShieldQuestion size={24} aria-hidden="true" />} title="No disputes">
            Card disputes and bank inquiries appear here with the deadline for evidence.
          </EmptyState>
        }
      />
    </TabFrame>
  )
}

const columns: readonly Column<Dispute>[] = [
  {
    id: 'due',
    header: 'Evidence due',
    cell: (dispute) => <DisputeDeadline dispute={dispute} />,
    csv: ({ evidence_due_at: due }) => due ?? '',
    width: 270,
    onPhone: 'figure',
  },
  {
    id: 'customer',
    header: 'Customer',
    cell: ({ customer }) => <CustomerLink customer={customer} />,
    csv: ({ customer }) => (customer === null ? '' : customerWords(customer)),
    onPhone: 'title',
  },
  {
    id: 'status',
    header: 'Status',
    cell: ({ status, open }) => <Badge tone={open ? 'warn' : 'neutral'}>{wordsOf(status)}</Badge>,
    csv: ({ status }) => status,
    width: 150,
    onPhone: 'figure',
  },
  { id: 'reason', header: 'Reason', cell: ({ reason }) => wordsOf(reason), csv: ({ reason }) => reason, width: 130 },
  {
    id: 'order',
    header: 'Order',
    cell: ({ top_up_id: topUpId, created_at: at }) => (
      <Link
        to="/operator/orders/$topUpId"
        params={{ topUpId }}
        className="underline decoration-line-strong underline-offset-4 hover:decoration-accent"
      >
        Disputed <Time iso={at} />
      </Link>
    ),
    csv: ({ top_up_id: topUpId }) => topUpId,
    width: 160,
  },
  {
    id: 'amount',
    header: 'Amount',
    cell: ({ amount, currency }) => <Charged amount={amount} currency={currency} />,
    csv: ({ amount, currency }) => `${amount} ${currency}`,
    align: 'right',
    width: 120,
    onPhone: 'figure',
  },
]
