import { expect, it } from 'vitest'
import { createRetryBudget } from './retry-budget.ts'

function spendAll(budget: ReturnType<typeof createRetryBudget>): number {
  let spent = 0
  while (budget.spend()) spent += 1
  return spent
}

it('takes nothing for a retry that it refuses, and gives one for exactly ten requests', () => {
  const budget = createRetryBudget()
  for (let retry = 0; retry < 10; retry += 1) expect(budget.spend()).toBe(true)
  for (let request = 0; request < 9; request += 1) budget.earn()
  expect(budget.spend()).toBe(false)
  budget.earn()
  // In floating point, ten tenths add up to slightly less than one.
  budget.earn()
  expect(budget.spend()).toBe(true)
  expect(budget.spend()).toBe(false)
})

it('[ROUTE-15] allows ten retries at once, then one for every ten requests, and saves no more than ten', () => {
  const budget = createRetryBudget()
  expect(spendAll(budget)).toBe(10)
  for (let request = 0; request < 51; request += 1) budget.earn()
  expect(spendAll(budget)).toBe(5)
  for (let request = 0; request < 10_000; request += 1) budget.earn()
  expect(spendAll(budget)).toBe(10)
})
