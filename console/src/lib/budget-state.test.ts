import { expect, it } from 'vitest'
import { budgetState } from './budget-state.ts'

it.each([
  [0n, 0n, 'used'],
  [0n, 1n, 'room'],
  [79n, 100n, 'room'],
  [80n, 100n, 'near'],
  [99n, 100n, 'near'],
  [100n, 100n, 'used'],
  [101n, 100n, 'used'],
] as const)('says of %s taken of %s: %s', (taken, budget, state) => {
  expect(budgetState(taken, budget)).toBe(state)
})
