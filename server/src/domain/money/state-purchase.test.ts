import { expect, it } from 'vitest'
import { type PriceList, parsePriceRules, parseUnitPrices } from './price-list.ts'
import { parsePurchase, statePurchase } from './state-purchase.ts'

const price: PriceList = {
  id: 'purchase',
  base: parseUnitPrices({ per_second_output: '0.5' }),
  tiers: [],
  ...parsePriceRules([{ unit: 'per_second_output', usd: '0.25', when: { until: '2027-01-01T00:00:00Z' } }]),
}

it('purchase terms are stored with the price as of an instant', () => {
  const before = statePurchase({ price, discountPpm: 7 }, Date.parse('2026-12-31T00:00:00Z'))
  expect(before).toEqual({
    discountPpm: 7,
    price: { id: 'purchase', units: { per_second_output: '0.25' }, tiers: [], rules: [] },
  })
  expect(parsePurchase(before)).toEqual({
    discountPpm: 7,
    price: { id: 'purchase', base: parseUnitPrices({ per_second_output: '0.25' }), tiers: [] },
  })
  const after = statePurchase({ price, discountPpm: 7 }, Date.parse('2027-01-01T00:00:00Z'))
  expect(after.price?.units).toEqual({ per_second_output: '0.5' })
})

it('a discount alone has no price', () => {
  expect(statePurchase({ discountPpm: 5 }, 0)).toEqual({ discountPpm: 5 })
  expect(parsePurchase({ discountPpm: 5 })).toEqual({ discountPpm: 5 })
})
