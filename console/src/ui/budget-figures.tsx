import { type ExactNumber, toNano } from '../lib/money.ts'
import { BudgetBar } from './budget-bar.tsx'
import { Money } from './money.tsx'

/** The spend of a month or week against its budget, in figures and as a bar. */
export function BudgetFigures({
  label,
  spent,
  held,
  budget,
}: {
  readonly label: string
  readonly spent: ExactNumber
  readonly held: ExactNumber
  readonly budget: ExactNumber | null
}) {
  if (budget === null) return <Money usd={spent} short />
  const heldNano = toNano(held)
  return (
    <div className="min-w-0">
      <div className="mb-1 truncate text-xs">
        <Money usd={spent} short className="font-medium" />
        <span className="text-muted">
          {heldNano === 0n ? null : (
            <>
              {' + '}
              <Money nano={heldNano} short /> on hold
            </>
          )}
          {' of '}
          <Money usd={budget} short />
        </span>
      </div>
      <BudgetBar label={label} spent={toNano(spent)} held={heldNano} budget={toNano(budget)} />
    </div>
  )
}
