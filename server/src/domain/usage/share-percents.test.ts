import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sharePercents } from './share-percents.ts'

const amount = fc.oneof(fc.constant(0n), fc.bigInt({ min: 0n, max: 3n }), fc.bigInt({ min: 0n, max: 10n ** 18n }))

describe('shares in per cent', () => {
  it('add up to exactly 100, each within a hundredth of what is true, and keep the order', () => {
    fc.assert(
      fc.property(fc.array(amount, { maxLength: 400 }), (amounts) => {
        const sum = amounts.reduce((total, one) => total + one, 0n)
        const hundredths = sharePercents(amounts).map((percent) => Math.round(percent * 100))
        expect(hundredths.reduce((total, one) => total + one, 0)).toBe(sum === 0n ? 0 : 10_000)
        for (const [position, share] of hundredths.entries()) {
          const exact = (amounts[position] ?? 0n) * 10_000n
          const stated = BigInt(share) * sum
          expect(stated > exact - sum || sum === 0n).toBe(true)
          expect(stated < exact + sum || sum === 0n).toBe(true)
        }
        const byAmount = amounts.map((one, position) => ({ one, share: hundredths[position] ?? 0 }))
        byAmount.sort((first, second) => (first.one < second.one ? -1 : first.one > second.one ? 1 : 0))
        const steps = byAmount.slice(1).filter(({ one }, position) => one > (byAmount[position]?.one ?? 0n))
        for (const { one, share } of steps) {
          const smaller = byAmount.filter((other) => other.one < one)
          expect(Math.max(...smaller.map((other) => other.share))).toBeLessThanOrEqual(share)
        }
      }),
    )
  })

  it('are of amounts that are not below zero', () => {
    expect(() => sharePercents([1n, -1n])).toThrow('no share is below zero')
  })

  it('give what rounding leaves to those that lost most', () => {
    expect(sharePercents([1n, 1n, 1n])).toEqual([33.34, 33.33, 33.33])
    expect(sharePercents([1n, 2n, 4n])).toEqual([14.29, 28.57, 57.14])
    expect(sharePercents([4n, 2n, 1n])).toEqual([57.14, 28.57, 14.29])
    expect(sharePercents([0n, 5n])).toEqual([0, 100])
    expect(sharePercents([0n, 0n])).toEqual([0, 0])
    expect(sharePercents([])).toEqual([])
  })
})
