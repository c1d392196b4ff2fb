import { type ExactNumber, type Nano, toNano } from '../../lib/money.ts'

/** A budget that applies to a scope: its own, or one of a wider scope. */
export interface AppliedBudget {
  /** Such as `Monthly budget of the team`. */
  readonly name: string
  readonly left: Nano
}

interface BudgetFigures {
  readonly budget: ExactNumber | null
  readonly spent: ExactNumber
  readonly held: ExactNumber
}

/** The budget with what is left of it, or nothing if there is none. */
export function appliedBudget(name: string, { budget, spent, held }: BudgetFigures): readonly AppliedBudget[] {
  if (budget === null) return []
  const left = toNano(budget) - toNano(spent) - toNano(held)
  return [{ name, left: left < 0n ? 0n : left }]
}

/** The budget that runs out first. Of two with the same amount left, the wider one. Undefined if there is none. */
export function bindingBudget(budgets: readonly AppliedBudget[]): AppliedBudget | undefined {
  return budgets.reduce<AppliedBudget | undefined>(
    (least, budget) => (least === undefined || budget.left < least.left ? budget : least),
    undefined,
  )
}
