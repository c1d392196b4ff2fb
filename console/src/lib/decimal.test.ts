import { expect, it } from 'vitest'
import { add, ceilToNano, formatDecimal, multiply, parseDecimal } from './decimal.ts'

it.each([
  ['655', '0.0000022', '0.001\u202f441', 1_441_000n],
  ['1', '0.000000000000000001', '0.000\u202f000\u202f000\u202f000\u202f000\u202f001', 1n],
  ['2.5', '1234.000000001', '3,085.000\u202f000\u202f002\u202f5', 3_085_000_000_003n],
  ['1e-7', '3', '0.000\u202f000\u202f3', 300n],
  ['2e3', '0', '0.00', 0n],
])('%s times %s is exact, and rounded up once', (count, price, shown, nano) => {
  const product = multiply(parseDecimal(count), parseDecimal(price))
  expect(formatDecimal(product)).toBe(shown)
  expect(ceilToNano(product)).toBe(nano)
})

it('adds at the finer scale, so that rounding happens once', () => {
  const half = parseDecimal('0.0000000005')
  expect(ceilToNano(add(half, half))).toBe(1n)
  expect(ceilToNano(half)).toBe(1n)
})

it.each(['', 'NaN', '1,5', '0x1'])('is never made of %j', (text) => {
  expect(() => parseDecimal(text)).toThrow()
})
