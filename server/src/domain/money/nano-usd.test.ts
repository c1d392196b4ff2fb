import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatUsd, nanoUsd, parseUsd, usdJson } from './nano-usd.ts'
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

  it.each(['', '1.', '.5', '1e3', '1,5', '0.0000000001', ' 1', '0x1', 'NaN', '--1', '+1', '9'.repeat(310)])(
    'is not %j',
    (text) => {
      expect(() => parseUsd(text)).toThrow(RangeError)
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

  it.each(['-1', '1e-7', '0.0000000000000000001', '', '9'.repeat(310)])('is not %j', (text) => {
    expect(() => parseUnitPrice(text)).toThrow(RangeError)
  })
})
