import { Link } from '@tanstack/react-router'
import type { EndCustomer } from '../../api/end-customers.ts'
import { usdText } from '../../lib/budget-rule.ts'
import { BudgetFigures } from '../../ui/budget-figures.tsx'
import type { Column } from '../../ui/column.ts'
import { Time } from '../../ui/time.tsx'
import { type CustomerLimit, limitsOf } from './customer-limits.ts'
import { CustomerState, stateInWords } from './customer-state.tsx'

export const customerColumns: readonly Column<EndCustomer>[] = [
  {
    id: 'id',
    header: 'Customer',
    cell: ({ id }) => (
      <Link
        to="/customers/$customerId/details"
        params={{ customerId: id }}
        search={true}
        title={id}
        className="block truncate rounded font-mono text-xs hover:underline"
      >
        {id}
      </Link>
    ),
    csv: ({ id }) => id,
    onPhone: 'title',
  },
  {
    id: 'name',
    header: 'Name',
    cell: ({ name }) => name ?? <span className="text-muted">None</span>,
    csv: ({ name }) => name ?? '',
    width: 150,
    onPhone: 'figure',
  },
  {
    id: 'state',
    header: 'Status',
    cell: (customer) => <CustomerState of={customer} />,
    csv: stateInWords,
    width: 110,
    onPhone: 'figure',
  },
  spentColumn('daily', { header: 'Spent today', width: 150 }),
  spentColumn('monthly', { header: 'Spent this month', width: 165, onPhone: 'figure' }),
  spentColumn('total', { header: 'Spent in total', width: 165, onPhone: 'figure' }),
  limitColumn('daily', 'Daily limit (USD)'),
  limitColumn('monthly', 'Monthly limit (USD)'),
  limitColumn('total', 'Total limit (USD)'),
  {
    id: 'requests',
    header: 'Requests',
    cell: ({ requests }) => Number(requests).toLocaleString('en'),
    csv: ({ requests }) => String(requests),
    align: 'right',
    width: 105,
  },
  {
    id: 'created',
    header: 'Created',
    cell: ({ created_at: at }) => <Time iso={at} />,
    csv: ({ created_at: at }) => at,
    sort: 'created',
    width: 110,
  },
]

/** What the customer spent, as a bar of the limit if there is one. */
function spentColumn(
  id: CustomerLimit['id'],
  look: Pick<Column<EndCustomer>, 'header' | 'width' | 'onPhone'>,
): Column<EndCustomer> {
  return {
    ...look,
    id: `${id}-spent`,
    cell: (customer) => {
      const { label, spent, limit } = limitsOf(customer)[id]
      return <BudgetFigures label={`${label} of ${customer.id}`} spent={spent} held={0} budget={limit} />
    },
    csv: (customer) => usdText(limitsOf(customer)[id].spent),
  }
}

/** The limits are in the bars. These columns are for the CSV file. */
function limitColumn(id: CustomerLimit['id'], header: string): Column<EndCustomer> {
  const text = (customer: EndCustomer) => usdText(limitsOf(customer)[id].limit)
  return { id: `${id}-limit`, header, cell: text, csv: text, align: 'right', width: 150, isHidden: true }
}
