import { expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { createHedgeBudget } from './hedge-budget.ts'

type Budget = ReturnType<typeof createHedgeBudget>

function earn(budget: Budget, wallet: string, requests: number): void {
  for (let request = 0; request < requests; request += 1) budget.earn(wallet)
}

function spendAll(budget: Budget, wallet: string): number {
  let spent = 0
  while (budget.has(wallet)) {
    budget.spend(wallet)
    spent += 1
  }
  return spent
}

it('[NEXT-107] hedges one in twenty requests of a wallet, and saves no more than three hedges', () => {
  const budget = createHedgeBudget()
  expect(budget.has('a')).toBe(false)
  earn(budget, 'a', 19)
  expect(budget.has('a')).toBe(false)
  earn(budget, 'a', 1)
  expect(spendAll(budget, 'a')).toBe(1)
  earn(budget, 'a', 59)
  expect(spendAll(budget, 'a')).toBe(2)
  earn(budget, 'a', 10_000)
  expect(spendAll(budget, 'a')).toBe(3)
})

it('[NEXT-107] never hedges more than 5 % of any number of requests', () => {
  const budget = createHedgeBudget()
  let spent = 0
  for (let request = 1; request <= 1_000; request += 1) {
    budget.earn('a')
    spent += spendAll(budget, 'a')
    expect(spent).toBeLessThanOrEqual(request / 20)
  }
  expect(spent).toBe(50)
})

it('[NEXT-107] shares neither hedges nor debt between wallets', () => {
  const budget = createHedgeBudget()
  earn(budget, 'a', 40)
  earn(budget, 'b', 20)
  budget.lost('a', nanoUsd(1_000n))
  expect([budget.has('a'), budget.has('b'), budget.has('c')]).toEqual([false, true, false])
  expect(spendAll(budget, 'b')).toBe(1)
})

it('[NEXT-107] stops hedging until charges are twenty times the cost of lost attempts', () => {
  const budget = createHedgeBudget()
  earn(budget, 'a', 60)
  budget.lost('a', nanoUsd(100n))
  budget.lost('a', nanoUsd(50n))
  budget.paid('a', nanoUsd(2_980n))
  expect(budget.has('a')).toBe(false)
  budget.paid('a', nanoUsd(20n))
  expect(budget.has('a')).toBe(true)
  // Charges in advance make up for nothing.
  budget.paid('a', nanoUsd(1_000_000n))
  budget.lost('a', nanoUsd(1n))
  expect(budget.has('a')).toBe(false)
  budget.paid('a', nanoUsd(20n))
  expect(spendAll(budget, 'a')).toBe(3)
})

it('forgets the wallets that were used least recently, which then start with nothing', () => {
  const budget = createHedgeBudget()
  earn(budget, 'a', 20)
  earn(budget, 'b', 20)
  for (let index = 0; index < 9_999; index += 1) budget.earn(`wallet ${index}`)
  expect([budget.has('b'), budget.has('a')]).toEqual([true, false])
})
