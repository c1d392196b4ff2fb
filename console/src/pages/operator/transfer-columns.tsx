import type { OperatedTopUp } from '../../api/operator.ts'
import type { Column } from '../../ui/column.ts'
import { factColumns, moneyColumns } from '../credits/order-columns.tsx'
import { CustomerLink, customerWords } from './customer-link.tsx'

/** A bank transfer is an order with a reference. */
export const transferColumns: readonly Column<OperatedTopUp>[] = [
  ...factColumns('/operator/orders/$topUpId'),
  {
    id: 'customer',
    header: 'Customer',
    cell: ({ customer }) => <CustomerLink customer={customer} />,
    csv: ({ customer }) => (customer === null ? '' : customerWords(customer)),
    onPhone: 'title',
  },
  {
    id: 'reference',
    header: 'Reference',
    cell: ({ reference }) => <span title={reference ?? ''}>{reference ?? '–'}</span>,
    csv: ({ reference }) => reference ?? '',
    width: 160,
    onPhone: 'figure',
  },
  // Refunds are at the order, and leave more room for the customer here.
  ...moneyColumns().filter(({ id }) => id !== 'back'),
]
