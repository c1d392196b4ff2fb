import { expect, it } from 'vitest'
import { formatDiscount, parseDiscount } from './discount.ts'

it.each([
  ['0', 0, '0'],
  ['12.5', 125_000, '12.5'],
  ['0.0001', 1, '0.0001'],
  ['7', 70_000, '7'],
  ['99.9999', 999_999, '99.9999'],
  ['100', 1_000_000, '100'],
  ['100.0000', 1_000_000, '100'],
])('a discount of %s percent is %d millionths', (text, ppm, shown) => {
  expect(parseDiscount(text)).toBe(ppm)
  expect(formatDiscount(ppm)).toBe(shown)
})

it.each(['', '-1', '101', '100.0001', '1.00001', '1e1', '.5', '5.', ' 5', 'five'])('%j is no discount', (text) => {
  expect(parseDiscount(text)).toBeUndefined()
})
