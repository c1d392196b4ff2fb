import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { chargeFor } from './charge.ts'
import { nanoUsd } from './nano-usd.ts'
import { parseUnitPrices, type PriceList } from './price-list.ts'
import { discountedCost, providerCost } from './provider-cost.ts'

const perToken = (usd: string): PriceList => ({
  id: 'p',
  base: parseUnitPrices({ prompt: usd, completion: usd }),
  tiers: [],
})

describe('the cost at a provider', () => {
  it.each([
    // Three tokens at 1 nano-dollar each.
    ['without a discount is the price', 0, 3n],
    ['with a third off is rounded up once', 333_333, 3n],
    ['with half off is rounded up once', 500_000, 2n],
    ['with two thirds off is rounded up once', 666_667, 1n],
    ['with a discount of a millionth is never less than due', 1, 3n],
    ['with all but a millionth off is still more than nothing', 999_999, 1n],
    ['with everything off is nothing', 1_000_000, 0n],
  ])('%s', (_name, discountPpm, cost) => {
    expect(providerCost({ ...noUsage, uncachedInput: 3 }, perToken('0.000000001'), discountPpm)).toBe(cost)
  })

  it('rounds the discounted total, not the price of a token', () => {
    // 1,000 tokens at a tenth of a nano-dollar, half off: 50 nano-dollars, and not 1,000 times one.
    expect(providerCost({ ...noUsage, textOutput: 1_000 }, perToken('0.0000000001'), 500_000)).toBe(50n)
  })

  it('is nothing without usage, even at a price per request', () => {
    const list = { id: 'p', base: parseUnitPrices({ prompt: '1', per_request: '1' }), tiers: [] }
    expect(providerCost(noUsage, list, 0)).toBe(0n)
  })

  it('that the provider states is its bill: no discount applies', () => {
    const usage = { ...noUsage, media: { statedNano: 7_000, outputImages: 1 } }
    expect(providerCost(usage, perToken('1'), 500_000)).toBe(7_000n)
  })

  it('is never above the charge at the same prices, and never below the exact share', () => {
    fc.assert(
      fc.property(
        fc.nat(2_000_000),
        fc.nat(2_000_000),
        fc.bigInt({ min: 1n, max: 10n ** 12n }),
        fc.nat(1_000_000),
        (input, output, price, discountPpm) => {
          const list = { id: 'p', base: { prompt: price, completion: price }, tiers: [] } as unknown as PriceList
          const usage = { ...noUsage, uncachedInput: input, textOutput: output }
          const cost = providerCost(usage, list, discountPpm)
          const exact = BigInt(input + output) * price * BigInt(1_000_000 - discountPpm)
          expect(cost).toBeLessThanOrEqual(chargeFor(usage, list).cost)
          expect(cost * 10n ** 15n).toBeGreaterThanOrEqual(exact)
          expect(cost * 10n ** 15n - exact).toBeLessThan(10n ** 15n)
        },
      ),
    )
  })
})

describe('a discounted cost', () => {
  it.each([
    [10n, 0, 10n],
    [10n, 250_000, 8n],
    [10n, 1_000_000, 0n],
    [0n, 250_000, 0n],
  ])('of %d with %d millionths off is %d', (cost, discountPpm, discounted) => {
    expect(discountedCost(nanoUsd(cost), discountPpm)).toBe(discounted)
  })
})
