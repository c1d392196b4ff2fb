import { expect, it } from 'vitest'
import { basisPointsIn, markupRule, percentText } from './markup.ts'

it.each([
  [null, ''],
  [0, '0'],
  [5, '0.05'],
  [50, '0.5'],
  [1_500, '15'],
  [1_050, '10.5'],
  [100_000, '1000'],
])('shows %j basis points as "%s" percent, and reads them back', (basisPoints, text) => {
  expect(percentText(basisPoints)).toBe(text)
  expect(basisPointsIn(` ${text} `)).toBe(basisPoints)
})

it.each([
  ['', true],
  [' 15 ', true],
  ['999.99', true],
  ['1000.00', true],
  ['1000.01', false],
  ['1001', false],
  ['1.234', false],
  ['.5', false],
  ['-1', false],
])('takes "%s": %j', (text, isValid) => {
  expect(markupRule.pattern.value.test(text)).toBe(isValid)
})
