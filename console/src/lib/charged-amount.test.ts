import { expect, it } from 'vitest'
import { formatCharged, isNothing, subtractCharged } from './charged-amount.ts'

it.each([
  ['27.50', 'usd', '$27.50'],
  ['1234567.05', 'usd', '$1,234,567.05'],
  ['-3.30', 'usd', '−$3.30'],
  [4158, 'jpy', '4,158 JPY'],
  ['199.38', 'cny', '199.38 CNY'],
  ['8.250', 'kwd', '8.250 KWD'],
] as const)('shows %s %s as %s', (amount, currency, shown) => {
  expect(formatCharged(amount, currency)).toBe(shown)
})

it('knows nothing from a little', () => {
  expect([isNothing(0), isNothing('0.00'), isNothing('0.000')]).toEqual([true, true, true])
  expect([isNothing('0.01'), isNothing(1), isNothing('10.00')]).toEqual([false, false, false])
})

it('subtracts without a double', () => {
  expect(subtractCharged('110.00', '33.33', '0.00')).toBe('76.67')
  expect(subtractCharged(4158, 4000)).toBe('158')
  expect(subtractCharged('0.30', '0.10', '0.20')).toBe('0.00')
  expect(subtractCharged('1.00', '2.50')).toBe('-1.50')
})
