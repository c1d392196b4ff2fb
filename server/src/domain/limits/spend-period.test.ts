import { describe, expect, it } from 'vitest'
import { parseSpendPeriod, resetNameOf, spendPeriods } from './spend-period.ts'

describe('[KEY-13] the period of a spend limit', () => {
  it.each([
    ['day', 'day'],
    ['daily', 'day'],
    ['week', 'week'],
    ['weekly', 'week'],
    ['month', 'month'],
    ['monthly', 'month'],
    ['Monthly', 'month'],
    ['DAY', 'day'],
  ])('%s reads back as %s', (text, period) => {
    expect(parseSpendPeriod(text)).toBe(period)
  })

  it.each(['', 'decade', 'days', 'dayly', ' day', 'constructor', '__proto__'])('is not %j', (text) => {
    expect(parseSpendPeriod(text)).toBeUndefined()
  })

  it('is one of these, as error messages list them', () => {
    expect(spendPeriods).toEqual(['day', 'week', 'month'])
  })
})

it.each([
  ['day', 'daily'],
  ['week', 'weekly'],
  ['month', 'monthly'],
] as const)('a limit per %s is reset %s', (period, name) => {
  expect(resetNameOf(period)).toBe(name)
})
