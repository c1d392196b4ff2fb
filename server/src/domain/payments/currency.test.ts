import { describe, expect, it } from 'vitest'
import { formatMinor, isCurrency, minor } from './currency.ts'
import { formatRate, parseRate } from './exchange-rate.ts'

describe('an amount of a currency', () => {
  it.each([
    [1234n, 'usd', '12.34 USD'],
    [5n, 'usd', '0.05 USD'],
    [-5n, 'eur', '-0.05 EUR'],
    [1200n, 'jpy', '1200 JPY'],
    [0n, 'jpy', '0 JPY'],
    [1234n, 'kwd', '1.234 KWD'],
  ] as const)('%i of %s is written as %s', (amount, currency, text) => {
    expect(formatMinor(minor(amount), currency)).toBe(text)
  })

  it('is of a currency in the table', () => {
    expect(['usd', 'USD', 'xxx', 'constructor'].map(isCurrency)).toEqual([true, false, false, false])
  })
})

describe('an exchange rate', () => {
  it.each(['1', '7.2451', '0.00000001', '999999999.99999999'])('%s is read and written', (text) => {
    const rate = parseRate(text)
    expect(rate === undefined ? undefined : formatRate(rate)).toBe(text)
  })

  it.each(['', '0', '0.0', '-1', '1.', '.5', '1e3', '1.123456789', '1234567890'])('is not %j', (text) => {
    expect(parseRate(text)).toBeUndefined()
  })
})
