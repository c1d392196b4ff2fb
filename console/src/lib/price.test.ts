import { expect, test } from 'vitest'
import { formatPrice, priceUnits } from './price.ts'

test('a price is shown with every digit that it has', () => {
  expect(formatPrice('1.75')).toBe('$1.75')
  expect(formatPrice('3')).toBe('$3.00')
  expect(formatPrice('1250.50')).toBe('$1,250.50')
  expect(formatPrice('0.0000000175')).toBe('$0.000\u202f000\u202f017\u202f5')
})

test('prices compare exactly where doubles would be equal', () => {
  expect(priceUnits('9007199.254740993') > priceUnits('9007199.254740992')).toBe(true)
  expect(priceUnits('0.10')).toBe(priceUnits('0.1'))
  expect(() => priceUnits('1e-7')).toThrow('Invalid price: 1e-7')
})
