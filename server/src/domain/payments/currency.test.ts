import { describe, expect, it } from 'vitest'
import { formatMinor, isCurrency, minor, parseMinor } from './currency.ts'
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

  it.each([
    ['0', 'usd', 0n],
    ['12', 'usd', 1_200n],
    ['12.3', 'usd', 1_230n],
    ['12.34', 'usd', 1_234n],
    ['12.05', 'usd', 1_205n],
    ['12.340', 'usd', 1_234n],
    ['12.300', 'usd', 1_230n],
    ['100.010', 'usd', 10_001n],
    ['123456789012', 'usd', 12_345_678_901_200n],
    ['12', 'jpy', 12n],
    ['12.00', 'jpy', 12n],
    ['1.234', 'kwd', 1_234n],
  ] as const)('%s %s is read as %i', (text, currency, amount) => {
    expect(parseMinor(text, currency)).toBe(amount)
  })

  it.each([
    ['12.345', 'usd'],
    ['12.1', 'jpy'],
    ['12.1234', 'kwd'],
    ['1234567890123', 'usd'],
    ['', 'usd'],
    ['-1', 'usd'],
    ['1.', 'usd'],
    ['.5', 'usd'],
    ['x1', 'usd'],
    ['1x', 'usd'],
    ['1.x', 'usd'],
  ] as const)('%s is no amount of %s', (text, currency) => {
    expect(parseMinor(text, currency)).toBeUndefined()
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
