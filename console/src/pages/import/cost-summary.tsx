import type { ImportResult } from '../../api/import-members.ts'
import { plural } from '../../lib/plural.ts'
import { Money } from '../../ui/money.tsx'

/** What all members and invited people can spend in a month at the most. */
export function CostSummary({ of: cost }: { readonly of: ImportResult['maximumCost'] }) {
  const { monthly, memberBudgets } = cost
  const without = Number(cost.withoutBudget)
  return (
    <div className="rounded-md bg-raised px-4 py-3 text-sm">
      {monthly === null ? (
        <p className="font-medium">No maximum cost: {plural(without, 'person', 'people')} without a budget.</p>
      ) : (
        <p className="font-medium">
          Members can spend at most <Money usd={monthly} /> a month.
        </p>
      )}
      <p className="mt-1 text-muted text-xs">
        Budgets of members and invitations add up to <Money usd={memberBudgets} />
        {without === 0 ? '' : `, and ${plural(without, 'person has', 'people have')} none`}. Budgets of teams and of the
        organization apply too.
      </p>
    </div>
  )
}
