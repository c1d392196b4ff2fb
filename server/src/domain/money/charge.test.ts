import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { completionTokensOf, noUsage, promptTokensOf, type UsageClasses } from '#domain/inference/usage.ts'
import { receiptOf } from '#domain/ledger/receipt.ts'
import { chargeFor, tokenTotals } from './charge.ts'
import { type PriceList, parseUnitPrices } from './price-list.ts'
import { receiptLines } from './receipt-lines.ts'
import { formatUnitPrice, parseUnitPrice, type UnitPrice } from './unit-price.ts'

const nanoInUnits = 1_000_000_000n

const count = fc.integer({ min: 0, max: 2_000_000 })
const usageArbitrary: fc.Arbitrary<UsageClasses> = fc.record({
  uncachedInput: count,
  cacheRead: count,
  cacheWrite5m: count,
  cacheWrite1h: count,
  audioInput: count,
  textOutput: count,
  reasoningOutput: count,
  imageOutput: count,
  audioOutput: count,
})
const price: fc.Arbitrary<UnitPrice> = fc
  .bigInt({ min: 0n, max: 10n ** 15n })
  .map((units) => parseUnitPrice(formatUnitPrice(units)))
const prices = fc.record(
  {
    prompt: price,
    completion: price,
    cache_read: price,
    cache_write: price,
    cache_write_1h: price,
    audio_input: price,
    audio_output: price,
    reasoning: price,
    image_output_token: price,
    per_request: price,
  },
  { requiredKeys: ['prompt', 'completion'] },
)
const list: fc.Arbitrary<PriceList> = fc.tuple(prices, fc.option(fc.tuple(count, prices))).map(([base, tier]) => ({
  id: 'p1',
  base,
  tiers: tier === null ? [] : [{ abovePromptTokens: tier[0], prices: tier[1] }],
}))

describe('a charge', () => {
  it('[MONEY-04] is the exact sum of counts times prices, rounded up once', () => {
    fc.assert(
      fc.property(usageArbitrary, list, (usage, priceList) => {
        const { cost } = chargeFor(usage, priceList)
        const lines = receiptLines(usage, priceList)
        // Parses the receipt's strings, so that it shares nothing with the code under test.
        const exact = lines.reduce((sum, line) => sum + BigInt(line.count) * parseUnitPrice(line.unitPriceUsd), 0n)
        expect(cost * nanoInUnits).toBeGreaterThanOrEqual(exact)
        expect(cost * nanoInUnits - exact).toBeLessThan(nanoInUnits)
        expect(cost).toBeGreaterThanOrEqual(0n)
      }),
    )
  })

  it('[P9] has a line for every class with tokens and for no other', () => {
    fc.assert(
      fc.property(usageArbitrary, list, (usage, priceList) => {
        const lines = receiptLines(usage, priceList).filter(({ item }) => item !== 'request')
        const expected = Object.entries(usage).filter(([, tokens]) => tokens > 0)
        expect(Object.fromEntries(lines.map(({ item, count: tokens }) => [item, tokens]))).toEqual(
          Object.fromEntries(expected),
        )
      }),
    )
  })

  it('[P10] is recomputed by its receipt', () => {
    fc.assert(
      fc.property(usageArbitrary, list, (usage, priceList) => {
        const { cost } = chargeFor(usage, priceList)
        expect(receiptOf({ usage, refundReason: null }, priceList)).toMatchObject({ priceId: 'p1', total: cost })
      }),
    )
  })

  it('[USAGE-11] shows as cache discount no more than the cached tokens would have cost in full', () => {
    fc.assert(
      fc.property(usageArbitrary, list, (usage, priceList) => {
        const { cacheDiscount, cost } = chargeFor(usage, { ...priceList, tiers: [] })
        const uncached = { ...usage, uncachedInput: usage.uncachedInput + usage.cacheRead, cacheRead: 0 }
        const inFull = chargeFor(uncached, { ...priceList, tiers: [] }).cost
        expect(cacheDiscount).toBeGreaterThanOrEqual(0n)
        if (cacheDiscount > 0n) expect(inFull - cost - cacheDiscount).toBeLessThanOrEqual(1n)
      }),
    )
  })

  it.each([
    [200, '0.0003'],
    [201, '0.000603'],
  ])('[MONEY-02] [MONEY-03] of %i prompt tokens has one tier for all of them', (prompt, usd) => {
    const tiered: PriceList = {
      id: 'p',
      base: parseUnitPrices({ prompt: '0.0000015', completion: '0' }),
      tiers: [{ abovePromptTokens: 200, prices: parseUnitPrices({ prompt: '0.000003', completion: '0' }) }],
    }
    // Cached tokens also count towards the tier.
    const usage = { ...noUsage, uncachedInput: prompt - 50, cacheRead: 50 }
    expect(formatUnitPrice(chargeFor(usage, tiered).cost * nanoInUnits)).toBe(usd)
  })
})

it('[USAGE-01] totals are the sums of their classes', () => {
  fc.assert(
    fc.property(usageArbitrary, (usage) => {
      const totals = tokenTotals(usage)
      expect(totals).toEqual({
        prompt: promptTokensOf(usage),
        completion: completionTokensOf(usage),
        total: promptTokensOf(usage) + completionTokensOf(usage),
      })
      expect(totals.total).toBe(Object.values(usage).reduce((sum, tokens) => sum + tokens, 0))
    }),
  )
})
