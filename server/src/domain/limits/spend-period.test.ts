import { describe, expect, it } from 'vitest'
import { parseSpendPeriod, resetNameOf, spendPeriods } from './spend-period.ts'

/** Each period with its adverb, in the order of error messages. */
const periods = [
  ['day', 'daily'],
  ['week', 'weekly'],
  ['month', 'monthly'],
] as const

describe('[KEY-13] the period of a spend limit', () => {
  it.each(periods)('is %s, also spelled %s', (period, adverb) => {
    expect([period, adverb].map(parseSpendPeriod)).toEqual([period, period])
    expect([period.toUpperCase(), `${adverb.charAt(0).toUpperCase()}${adverb.slice(1)}`].map(parseSpendPeriod)).toEqual(
      [period, period],
    )
    expect(resetNameOf(period)).toBe(adverb)
  })

  it.each(['', 'decade', 'days', 'dayly', ' day', 'constructor', '__proto__'])('is not %j', (text) => {
    expect(parseSpendPeriod(text)).toBeUndefined()
  })

  it('is one of these alone', () => {
    expect(spendPeriods).toEqual(periods.map(([period]) => period))
  })
})
