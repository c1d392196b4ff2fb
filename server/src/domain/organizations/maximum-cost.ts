import { type NanoUsd, nanoUsd, zeroUsd } from '#domain/money/nano-usd.ts'
import type { Uuid } from '#lib/uuid.ts'

/** People who have, or are invited with, the same team and budget. */
export interface BudgetedPeople {
  readonly teamId: Uuid | null
  readonly monthlyBudget: NanoUsd | null
  readonly count: number
}

export interface MaximumCost {
  /** The exact sum of all budgets. */
  readonly memberBudgets: NanoUsd
  /** People whom no budget of their own limits. */
  readonly withoutBudget: number
  /** What all of them together can spend in a month at the most. Null if nothing limits it. */
  readonly monthly: NanoUsd | null
}

/**
 * The most that members can spend in a month: their own budgets, within the budget of their team, within that of the
 * organization. Keys that belong to no member are not part of it; the organization's budget limits those too.
 */
export function maximumCost(
  people: readonly BudgetedPeople[],
  budgets: { readonly organization: NanoUsd | null; readonly teams: ReadonlyMap<Uuid, NanoUsd | null> },
): MaximumCost {
  const groups = [...Map.groupBy(people, ({ teamId }) => teamId)]
  const limited = groups.map(([teamId, members]) =>
    smaller(sumOf(members), teamId === null ? null : (budgets.teams.get(teamId) ?? null)),
  )
  const total = limited.reduce((sum, each) => (sum === null || each === null ? null : nanoUsd(sum + each)), zeroUsd)
  const withBudget = people.filter(({ monthlyBudget }) => monthlyBudget !== null)
  const unlimited = people.filter(({ monthlyBudget }) => monthlyBudget === null)
  return {
    memberBudgets: sumOf(withBudget) ?? zeroUsd,
    withoutBudget: unlimited.reduce((sum, { count }) => sum + count, 0),
    monthly: smaller(total, budgets.organization),
  }
}

/** Null if one of them has no budget. */
function sumOf(people: readonly BudgetedPeople[]): NanoUsd | null {
  let sum = 0n
  for (const { monthlyBudget, count } of people) {
    if (monthlyBudget === null && count > 0) return null
    sum += (monthlyBudget ?? 0n) * BigInt(count)
  }
  return nanoUsd(sum)
}

function smaller(one: NanoUsd | null, other: NanoUsd | null): NanoUsd | null {
  if (one === null || other === null) return one ?? other
  return one < other ? one : other
}
