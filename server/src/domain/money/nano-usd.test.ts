import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatUsd, nanoUsd, nullableUsdJson, parseUsd, usdJson } from './nano-usd.ts'
import { formatUnitPrice, parseUnitPrice, perMillion } from './unit-price.ts'

const amount = fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }).map(nanoUsd)

describe('an amount', () => {
  it('survives being written and read', () => {
    fc.assert(fc.property(amount, (nano) => parseUsd(formatUsd(nano)) === nano))
  })

  it('[USAGE-03] is written as a plain decimal number with at most nine decimals and no exponent', () => {
    fc.assert(
      fc.property(amount, (nano) => {
        const text = JSON.stringify({ cost: usdJson(nano) }).slice('{"cost":'.length, -1)
        expect(text).toMatch(/^-?\d+(\.\d{1,9})?$/)
        expect(parseUsd(text)).toBe(nano)
      }),
    )
  })

  it('that there is none of is null', () => {
    expect(JSON.stringify([nullableUsdJson(null), nullableUsdJson(nanoUsd(1_500_000_000n))])).toBe('[null,1.5]')
  })

  it.each([
    ['0', 0n, '0'],
    ['-0', 0n, '0'],
    ['1', 1_000_000_000n, '1'],
    ['12.5', 12_500_000_000n, '12.5'],
    ['12.50', 12_500_000_000n, '12.5'],
    ['-0.000000001', -1n, '-0.000000001'],
    ['-3.040', -3_040_000_000n, '-3.04'],
    ['0.100000000', 100_000_000n, '0.1'],
    ['100', 100_000_000_000n, '100'],
    ['1000.000000100', 1_000_000_000_100n, '1000.0000001'],
  ])('%s is %i nano-dollars, written as %s', (text, nano, written) => {
    expect(parseUsd(text)).toBe(nano)
    expect(formatUsd(nanoUsd(nano))).toBe(written)
    expect(JSON.stringify(usdJson(nanoUsd(nano)))).toBe(written)
  })

  it('may have as many digits as the largest number of JSON', () => {
    expect(parseUsd('9'.repeat(309))).toBe((10n ** 309n - 1n) * 1_000_000_000n)
  })

  it.each(['', '1.', '.5', '1e3', '1,5', '0.0000000001', ' 1', '1 ', '0x1', 'NaN', '--1', '+1', '9'.repeat(310)])(
    'is not %j',
    (text) => {
      expect(() => parseUsd(text)).toThrow(new RangeError(`not an amount of USD with at most nine decimals: ${text}`))
    },
  )
})

describe('a unit price', () => {
  const units = fc.bigInt({ min: 0n, max: 10n ** 20n })

  it('survives being written and read', () => {
    fc.assert(fc.property(units, (price) => parseUnitPrice(formatUnitPrice(price)) === price))
  })

  it('[P10] per million is the same price, a million times as large', () => {
    fc.assert(
      fc.property(units, (price) => {
        const million = perMillion(parseUnitPrice(formatUnitPrice(price)))
        expect(parseUnitPrice(million)).toBe(price * 1_000_000n)
      }),
    )
  })

  it.each([
    ['0', 0n, '0', '0'],
    ['0.000000000000000001', 1n, '0.000000000000000001', '0.000000000001'],
    ['0.0000025', 2_500_000_000_000n, '0.0000025', '2.5'],
    ['0.10', 100_000_000_000_000_000n, '0.1', '100000'],
    ['12.034', 12_034_000_000_000_000_000n, '12.034', '12034000'],
    ['30', 30_000_000_000_000_000_000n, '30', '30000000'],
  ])('of %s USD is %i units, written as %s, and %s for a million', (text, price, written, million) => {
    expect(parseUnitPrice(text)).toBe(price)
    expect(formatUnitPrice(price)).toBe(written)
    expect(perMillion(parseUnitPrice(text))).toBe(million)
  })

  it('may have as many digits as the largest number of JSON', () => {
    expect(parseUnitPrice('9'.repeat(309))).toBe((10n ** 309n - 1n) * 10n ** 18n)
  })

  it.each(['-1', '1e-7', '1.', '.5', '0.0000000000000000001', '', ' 1', '1 ', '9'.repeat(310)])('is not %j', (text) => {
    expect(() => parseUnitPrice(text)).toThrow(new RangeError(`not a unit price: ${text}`))
  })
})
