import { describe, expect, it } from 'vitest'
import { parseExactJson } from '#lib/exact-number.ts'
import { formatUsd } from './nano-usd.ts'
import { usdOf } from './usd-of.ts'

describe('an amount that came as a JSON number', () => {
  it.each([
    ['0', '0'],
    ['-0', '0'],
    ['25', '25'],
    ['0.1', '0.1'],
    ['0.000000001', '0.000000001'],
    ['1e-9', '0.000000001'],
    ['1.5e-7', '0.00000015'],
    ['123456.123456789', '123456.123456789'],
    ['12345678.123456789', '12345678.123456789'],
    ['1e21', '1000000000000000000000'],
    ['-3.5', '-3.5'],
  ])('%s is %s, to the last digit', (json, text) => {
    const amount = usdOf(parseExactJson(json))
    expect(amount === undefined ? null : formatUsd(amount)).toBe(text)
  })

  it.each(['1e-10', '0.1234567891', '1.23e-8'])('%s has more decimals than there are nano-dollars', (json) => {
    expect(usdOf(parseExactJson(json))).toBeUndefined()
  })

  it('is never guessed from what is no number', () => {
    expect([Number.NaN, '25', JSON.parse('1e400')].map(usdOf)).toEqual([undefined, undefined, undefined])
  })
})
