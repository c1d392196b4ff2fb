import { describe, expect, it } from 'vitest'
import { type PriceList, parsePriceRules, parseUnitPrices } from './price-list.ts'
import { parsePrice, statePrice } from './state-price.ts'

const list: PriceList = {
  id: 'p7',
  base: parseUnitPrices({ prompt: '0.000001', completion: '0' }),
  tiers: [{ abovePromptTokens: 200_000, prices: parseUnitPrices({ prompt: '0.000002' }) }],
  ...parsePriceRules([{ unit: 'per_image_output', usd: '0.04', when: { quality: 'high' } }]),
}
const stated = {
  id: 'p7',
  units: { prompt: '0.000001', completion: '0' },
  tiers: [{ abovePromptTokens: 200_000, units: { prompt: '0.000002' } }],
  rules: [{ unit: 'per_image_output' as const, usd: '0.04', when: { quality: 'high' } }],
}

describe('[P10] a price list', () => {
  it('is kept as text, with every price to the last digit', () => {
    expect(statePrice(list)).toStrictEqual(stated)
  })

  it('is the same list when it is read again', () => {
    expect(parsePrice(stated)).toStrictEqual(list)
  })

  it('without rules has none in either form', () => {
    const bare = { id: 'p', base: {}, tiers: [] }
    expect(statePrice(bare)).toStrictEqual({ id: 'p', units: {}, tiers: [], rules: [] })
    expect(parsePrice({ id: 'p', units: {}, tiers: [] })).toStrictEqual(bare)
    expect(parsePrice({ id: 'p', units: {}, tiers: [], rules: [] })).toStrictEqual(bare)
  })
})
