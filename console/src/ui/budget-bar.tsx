import { budgetState } from '../lib/budget-state.ts'
import { classNames } from '../lib/class-names.ts'
import { formatUsdShort, type Nano } from '../lib/money.ts'
import { percentOf } from '../lib/percent-of.ts'

const tones = { used: 'bg-bad', near: 'bg-warn', room: 'bg-accent' } as const

/** Spent and held amounts against a budget: spent is solid, held is lighter. The figures are beside it. */
export function BudgetBar({
  label,
  spent,
  held,
  budget,
}: {
  readonly label: string
  readonly spent: Nano
  readonly held: Nano
  readonly budget: Nano
}) {
  const taken = percentOf(spent + held, budget)
  const spentWidth = Math.min(percentOf(spent, budget), 100)
  const heldWidth = Math.min(taken, 100) - spentWidth
  const tone = tones[budgetState(spent + held, budget)]
  const onHold = held === 0n ? '' : ` and ${formatUsdShort(held)} on hold`
  const words = `${formatUsdShort(spent)} spent${onHold} of ${formatUsdShort(budget)}`
  return (
    <div
      role="meter"
      aria-label={label}
      aria-valuemin={0}
      aria-valuemax={100}
      aria-valuenow={Math.min(taken, 100)}
      aria-valuetext={`${taken}%: ${words}`}
      title={words}
      className="flex h-1.5 w-full overflow-hidden rounded-full bg-raised"
    >
      <span className={classNames('block h-full', tone)} style={{ width: `${spentWidth}%` }} />
      <span className={classNames('block h-full opacity-40', tone)} style={{ width: `${heldWidth}%` }} />
    </div>
  )
}
