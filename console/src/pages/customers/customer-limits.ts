import type { EndCustomer } from '../../api/end-customers.ts'
import type { ExactNumber } from '../../lib/money.ts'

export interface CustomerLimit {
  readonly id: 'daily' | 'monthly' | 'total'
  /** The limit, such as `Daily limit`. */
  readonly label: string
  /** What counts against it, such as `Spent today`. */
  readonly spentLabel: string
  readonly spent: ExactNumber
  /** Null for none. */
  readonly limit: ExactNumber | null
}

type Spent = Pick<
  EndCustomer,
  'daily_limit' | 'monthly_limit' | 'total_limit' | 'spent_today' | 'spent_this_month' | 'spent'
>

/** The limits that a customer can have, and what the customer has spent of each. */
export function limitsOf(customer: Spent): Readonly<Record<CustomerLimit['id'], CustomerLimit>> {
  const { daily_limit: daily, monthly_limit: monthly, total_limit: total } = customer
  const { spent_today: today, spent_this_month: month, spent } = customer
  return {
    daily: { id: 'daily', label: 'Daily limit', spentLabel: 'Spent today', spent: today, limit: daily },
    monthly: { id: 'monthly', label: 'Monthly limit', spentLabel: 'Spent this month', spent: month, limit: monthly },
    total: { id: 'total', label: 'Total limit', spentLabel: 'Spent in total', spent, limit: total },
  }
}
