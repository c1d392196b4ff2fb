import { expect, it } from 'vitest'
import { judgeAmount, usualAmounts } from './judge-amount.ts'

const bounds = { credit_min: 5, credit_max: '100.5' } as const

it.each(['5', '5.00', '12.5', '12.34', '100.50'])('takes %s', (text) => {
  expect(judgeAmount(text, bounds)).toBeNull()
})

it.each(['', 'ten', '-5', '1e2', '12.345', '5,00', ' 5'])('refuses %j, which is no amount of cents', (text) => {
  expect(judgeAmount(text, bounds)).toMatch(/such as/)
})

it('names the bound that an amount is beyond', () => {
  expect(judgeAmount('4.99', bounds)).toBe('Enter at least $5.00.')
  expect(judgeAmount('100.51', bounds)).toBe('Enter no more than $100.50.')
})

it('offers amounts within the bounds alone', () => {
  expect(usualAmounts(bounds)).toEqual(['10', '25', '50', '100'])
})
