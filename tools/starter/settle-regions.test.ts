import { describe, expect, test } from 'vitest'
import { parseCatalogueFile } from '../../server/src/control/catalogue/parse-catalogue-file.ts'
import { disputedPricesOf } from '../../server/src/domain/catalogue/disputed-price.ts'
import type { JsonObject } from '../../server/src/lib/json.ts'
import { settleRegions } from './settle-regions.ts'

function settle(plain: JsonObject, regions: Record<string, JsonObject>) {
  const parsed = parseCatalogueFile([
    {
      id: 'acme/one',
      kind: 'chat',
      provider: 'acme',
      input_modalities: ['text'],
      output_modalities: ['text'],
      pricing: plain,
      offers: Object.entries(regions).map(([region, pricing]) => ({ provider: 'acme', region, pricing })),
    },
  ])
  if (!parsed.accepted || parsed.rows[0] === undefined) throw new Error(JSON.stringify(parsed))
  const { offers, prices, details } = settleRegions(parsed.rows[0])
  return { sold: offers.map(({ variant }) => variant), prices, disputed: disputedPricesOf(details) }
}

describe('V10: a region is disputed', () => {
  const plain = { prompt: '0.000005', completion: '0.000025' }
  test.each([
    ['no, at the plain price', '0.000005', '0.000025', true],
    ['no, at the known mark-up of a tenth', '0.0000055', '0.0000275', true],
    ['no, at two fifths more', '0.000007', '0.000035', true],
    ['yes, beyond two fifths of the prompt', '0.00000701', '0.000025', false],
    ['yes, beyond two fifths of the answer', '0.000005', '0.00003501', false],
    ['yes, at a third of the price', '0.0000016', '0.000008', false],
    ['yes, at three times the price, as Opus 4.6 in Australia', '0.0000165', '0.0000825', false],
  ])('%s', (_, prompt, completion, isSold) => {
    const { sold, disputed } = settle(plain, { au: { prompt, completion } })
    expect(sold.includes('au')).toBe(isSold)
    expect(sold).toContain('')
    expect(disputed.map(({ provider, region }) => `${provider} ${region}`)).toEqual(isSold ? [] : ['acme au'])
  })

  test('a service tier is no region', () => {
    expect(settle(plain, { priority: { prompt: '0.00001', completion: '0.00005' } }).sold).toContain('priority')
  })
})

describe('V8, V10: priority is sold', () => {
  const plain = {
    prompt: '0.000005',
    completion: '0.00003',
    priority_prompt: '0.00001',
    priority_completion: '0.00006',
  }
  test.each([
    ['where it is the same multiple in each region', '0.000011', '0.000066', true],
    ['nowhere, where the multiples differ', '0.00001375', '0.0000825', false],
  ])('%s', (_, prompt, completion, isSold) => {
    const eu = { prompt: '0.0000055', completion: '0.000033', priority_prompt: prompt, priority_completion: completion }
    const { prices, sold } = settle(plain, { eu })
    expect(sold.toSorted()).toEqual(['', 'eu'])
    expect(prices.map(({ units }) => units.priority_prompt !== undefined)).toEqual([isSold, isSold])
  })
})
