import { Link } from '@tanstack/react-router'
import type { TopUp } from '../../api/payments.ts'
import { isNothing } from '../../lib/charged-amount.ts'
import { exactUsd, toNano } from '../../lib/money.ts'
import { Charged } from '../../ui/charged.tsx'
import type { Column } from '../../ui/column.ts'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'
import { OrderState } from './order-state.tsx'
import { stateWords } from './state-words.ts'

const usd = (amount: TopUp['credit']) => exactUsd(toNano(amount))

export const orderColumns: readonly Column<TopUp>[] = [
  ...factColumns('/credits/$topUpId'),
  ...moneyColumns(),
  {
    id: 'id',
    header: 'Order ID',
    cell: ({ id }) => <code className="font-mono text-xs">{id}</code>,
    csv: ({ id }) => id,
    isHidden: true,
  },
]

/** The columns for date, link and state of an order, for payers and operators. */
export function factColumns(to: '/credits/$topUpId' | '/operator/orders/$topUpId'): readonly Column<TopUp>[] {
  return [
    {
      id: 'at',
      header: 'Created',
      // A real link can be opened in a new tab, and screen readers find it.
      cell: ({ id, created_at: at }) => (
        <Link
          to={to}
          params={{ topUpId: id }}
          search={true}
          className="underline decoration-line-strong underline-offset-4 hover:decoration-accent"
        >
          <Time iso={at} absolute />
        </Link>
      ),
      csv: ({ created_at: at }) => at,
      width: 220,
    },
    {
      id: 'state',
      header: 'Status',
      cell: (order) => <OrderState order={order} />,
      csv: ({ state }) => stateWords(state).name,
      width: 180,
      onPhone: 'figure',
    },
  ]
}

/** The amount columns of an order, for payers and operators. */
export function moneyColumns(): readonly Column<TopUp>[] {
  return [
    {
      id: 'credit',
      header: 'Credit (USD)',
      cell: ({ credit }) => <Money usd={credit} />,
      csv: ({ credit }) => usd(credit),
      onPhone: 'figure',
      align: 'right',
      width: 130,
    },
    {
      id: 'fee',
      header: 'Fee (USD)',
      cell: ({ fee }) => <Money usd={fee} />,
      csv: ({ fee }) => usd(fee),
      align: 'right',
      width: 106,
    },
    {
      id: 'total',
      header: 'Total',
      cell: ({ total, currency }) => <Charged amount={total} currency={currency} />,
      csv: ({ total, currency }) => `${total} ${currency}`,
      onPhone: 'figure',
      align: 'right',
      width: 140,
    },
    {
      id: 'back',
      header: 'Refunded',
      cell: refundedOf,
      csv: ({ refunded, currency }) => `${refunded} ${currency}`,
      align: 'right',
      width: 190,
    },
  ]
}

/** Disputed money is shown separately, because it may come back. */
function refundedOf({ refunded, disputed, currency }: TopUp) {
  if (isNothing(refunded) && isNothing(disputed)) return <span className="text-muted">–</span>
  return (
    <>
      {isNothing(refunded) ? null : <Charged amount={refunded} currency={currency} />}
      {isNothing(disputed) ? null : (
        <>
          {' '}
          <Charged amount={disputed} currency={currency} /> <span className="text-muted">disputed</span>
        </>
      )}
    </>
  )
}
