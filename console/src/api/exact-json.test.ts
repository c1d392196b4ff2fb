import { expect, it } from 'vitest'
import { toNano } from '../lib/money.ts'
import { parseExact } from './exact-json.ts'

it('keeps every digit of an amount that a double would round', () => {
  const text = '{"usage": 12345678.123456789, "count": 3, "nested": [{"cost": 0.1}], "big": 9007199254740993}'
  const parsed = parseExact(text)
  expect(parsed).toEqual({ usage: '12345678.123456789', count: 3, nested: [{ cost: '0.1' }], big: '9007199254740993' })
  expect(toNano((parsed as { usage: string }).usage)).toBe(12_345_678_123_456_789n)
})

it('leaves texts, booleans and null as they are', () => {
  expect(parseExact('{"a": "1.5", "b": true, "c": null}')).toEqual({ a: '1.5', b: true, c: null })
})

it.each([
  ['0', 0],
  ['-12', -12],
  ['9007199254740991', 9_007_199_254_740_991],
  // Decimals, exponents and integers beyond 2^53 − 1 stay strings.
  ['1.0', '1.0'],
  ['2.00', '2.00'],
  ['1e3', '1e3'],
  ['-0.5', '-0.5'],
  ['12e0', '12e0'],
  ['9007199254740992', '9007199254740992'],
])('reads %s as %j', (text, read) => {
  expect(parseExact(text)).toBe(read)
})
