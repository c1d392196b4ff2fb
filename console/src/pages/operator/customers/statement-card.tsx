import { CircleCheck, TriangleAlert } from 'lucide-react'
import type { CustomerStatement } from '../../../api/customers.ts'
import { toNano } from '../../../lib/money.ts'
import { monthName } from '../../../lib/utc-days.ts'
import { Money } from '../../../ui/money.tsx'
import { Card } from '../../../ui/page.tsx'
import { kindNames } from '../../ledger/kind-names.ts'

/** Opening balance, a line per kind, closing balance, added up once more here. */
export function StatementCard({ statement }: { readonly statement: CustomerStatement }) {
  const lines = statement.lines.filter(({ amount, moved }) => toNano(amount) !== 0n || toNano(moved) !== 0n)
  const sum = lines.reduce((total, { amount }) => total + toNano(amount), toNano(statement.opening_balance))
  const isEqual = sum === toNano(statement.closing_balance)
  return (
    <Card
      title={monthName(statement.month)}
      aside={
        <span
          data-verdict={isEqual ? 'equal' : 'different'}
          className={`inline-flex items-center gap-1.5 font-medium text-xs ${isEqual ? 'text-good' : 'text-bad'}`}
        >
          {isEqual ? <CircleCheck size={14} aria-hidden="true" /> : <TriangleAlert size={14} aria-hidden="true" />}
          {isEqual ? 'Totals match' : "Totals don't match"}
        </span>
      }
    >
      <dl className="figures mx-auto flex max-w-2xl flex-col gap-2 text-sm">
        <Row label="Opening balance" usd={statement.opening_balance} />
        {lines.map(({ kind, amount }) => (
          <Row key={kind} label={kindNames(kind)} usd={amount} />
        ))}
        <Row label="Closing balance" usd={statement.closing_balance} />
      </dl>
    </Card>
  )
}

function Row({ label, usd }: { readonly label: string; readonly usd: CustomerStatement['opening_balance'] }) {
  return (
    <div className="flex justify-between gap-4 border-line border-b pb-2 last:border-b-0 last:font-semibold">
      <dt>{label}</dt>
      <dd>
        <Money usd={usd} />
      </dd>
    </div>
  )
}
