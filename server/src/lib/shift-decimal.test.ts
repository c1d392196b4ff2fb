import { expect, test } from 'vitest'
import { shiftDecimal } from './shift-decimal.ts'

test.each([
  ['1.75', -6, '0.00000175'],
  ['14.00', -6, '0.000014'],
  ['0', -6, '0'],
  ['0.0', 0, '0'],
  ['3', 0, '3'],
  ['30', -1, '3'],
  ['1.5e-07', 0, '0.00000015'],
  ['5E-9', 0, '0.000000005'],
  ['2e+2', 0, '200'],
  ['1.5e3', -6, '0.0015'],
  ['0.0000001625', 0, '0.0000001625'],
  // 3e-7 and 1.1e-6 with a floating-point error in the last digit.
  ['2.9999999999999997e-07', 0, '0.0000003'],
  ['1.1000000000000001e-06', 0, '0.0000011'],
])('%s moved by %d places is %s', (text, places, expected) => {
  expect(shiftDecimal(text, places)).toBe(expected)
})

test.each(['-1', '', '1,5', 'NaN', '1e999', '0x10', ' 1'])('%j is no decimal', (text) => {
  expect(shiftDecimal(text, 0)).toBeUndefined()
})
