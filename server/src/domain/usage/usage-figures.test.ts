import { describe, expect, it } from 'vitest'
import { nanoUsd, parseUsd } from '#domain/money/nano-usd.ts'
import { percentOf, pricePerMillion } from './usage-figures.ts'

describe('what is spent of a budget', () => {
  it.each([
    ['0.05', '1', 5],
    ['1', '3', 33.33],
    ['2', '3', 66.67],
    ['3', '2', 150],
    ['0', '2', 0],
    ['0.000000001', '5', 0],
    ['9000000', '0.000000001', 9e17],
  ])('is %s of %s in per cent', (spent, budget, percent) => {
    expect(percentOf({ spent: parseUsd(spent), budget: parseUsd(budget) })).toBe(percent)
  })

  it('is unknown without a budget, and of one of nothing', () => {
    expect(percentOf({ spent: parseUsd('1'), budget: null })).toBeNull()
    expect(percentOf({ spent: parseUsd('1'), budget: parseUsd('0') })).toBeNull()
  })
})

describe('the price of a million tokens', () => {
  it('is exact to the nano-USD, rounded to the nearest', () => {
    expect(pricePerMillion({ spent: parseUsd('0.03'), tokens: 20_000 })).toBe(parseUsd('1.5'))
    expect(pricePerMillion({ spent: nanoUsd(1n), tokens: 3 })).toBe(333_333n)
    expect(pricePerMillion({ spent: nanoUsd(2n), tokens: 3 })).toBe(666_667n)
    expect(pricePerMillion({ spent: parseUsd('0'), tokens: 3 })).toBe(0n)
  })

  it('is unknown without tokens', () => {
    expect(pricePerMillion({ spent: parseUsd('1'), tokens: 0 })).toBeNull()
  })
})
