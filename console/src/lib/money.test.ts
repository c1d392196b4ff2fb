import { describe, expect, it } from 'vitest'
import { exactUsd, formatUsd, formatUsdShort, toNano } from './money.ts'

describe('an amount', () => {
  it.each([
    ['12345678.123456789', 12_345_678_123_456_789n],
    ['0.000000001', 1n],
    ['1e-7', 100n],
    ['2.5e3', 2_500_000_000_000n],
    ['-3.10', -3_100_000_000n],
    ['0.1000000000', 100_000_000n],
    ['25', 25_000_000_000n],
  ])('of %s USD is exact in nano-USD', (text, nano) => {
    expect(toNano(text)).toBe(nano)
  })

  it.each(['', 'NaN', '1,5', '0.0000000001', 'Infinity', '0x1'])('is never made of %j', (text) => {
    expect(() => toNano(text)).toThrow()
  })

  it.each([
    [0n, '$0.00', '$0.00', '0'],
    [12_400_000_000n, '$12.40', '$12.40', '12.4'],
    [42_000n, '$0.000\u202f042', '<$0.01', '0.000042'],
    [8_522_500n, '$0.008\u202f522\u202f5', '<$0.01', '0.0085225'],
    [-1_234_567_890_000_000n, '−$1,234,567.89', '−$1,234,567.89', '-1234567.89'],
    [9_999_995_000_000n, '$9,999.995', '$10,000.00', '9999.995'],
  ])('of %s nano-USD is written in full, in short and for copying', (nano, full, short, exact) => {
    expect([formatUsd(nano), formatUsdShort(nano), exactUsd(nano)]).toEqual([full, short, exact])
  })
})
