import { expect, it } from 'vitest'
import { limitsOf } from './customer-limits.ts'

it('compares each limit with what counts against it', () => {
  const limits = limitsOf({
    daily_limit: 1,
    monthly_limit: null,
    total_limit: 30,
    spent_today: '0.1',
    spent_this_month: '0.2',
    spent: '0.3',
  })
  expect(Object.values(limits)).toEqual([
    { id: 'daily', label: 'Daily limit', spentLabel: 'Spent today', spent: '0.1', limit: 1 },
    { id: 'monthly', label: 'Monthly limit', spentLabel: 'Spent this month', spent: '0.2', limit: null },
    { id: 'total', label: 'Total limit', spentLabel: 'Spent in total', spent: '0.3', limit: 30 },
  ])
})
