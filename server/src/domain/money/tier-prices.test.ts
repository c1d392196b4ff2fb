import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type ServiceTier, withServiceTier } from '#domain/inference/service-tier.ts'
import { noUsage, type UsageClasses } from '#domain/inference/usage.ts'
import type { JsonObject } from '#lib/json.ts'
import { chargeFor } from './charge.ts'
import { inputClasses, outputClasses } from './class-price.ts'
import { type PriceList, parseUnitPrices } from './price-list.ts'
import { heldPrices, inAskedTier, tierAskedOf } from './tier-prices.ts'
import { formatUnitPrice } from './unit-price.ts'
import { worstWords } from './worst-words.ts'

const list: PriceList = {
  id: 'p',
  base: parseUnitPrices({
    prompt: '0.000002',
    completion: '0.000008',
    cache_read: '0.0000005',
    flex_prompt: '0.000001',
    flex_completion: '0.000004',
    priority_prompt: '0.0000035',
    priority_completion: '0.000014',
  }),
  tiers: [],
}
const usage = { ...noUsage, uncachedInput: 1_000, cacheRead: 2_000, textOutput: 100 }

const asked = (body: JsonObject, author = 'openai', price = list) => tierAskedOf(body, { model: { author }, price })

describe('a service tier', () => {
  it.each<[ServiceTier | undefined, bigint]>([
    [undefined, 3_800_000n],
    ['flex', 1_900_000n],
    // 1,000 × 3.5 + 2,000 × 0.875 + 100 × 14 dollars per million.
    ['priority', 6_650_000n],
  ])('%s is charged at its own prices, and what has none in proportion', (tier, cost) => {
    expect(chargeFor(withServiceTier(usage, tier), list).cost).toBe(cost)
  })

  it.each([
    // 100 prompt tokens at 20 and 10 output tokens at 40 dollars per million.
    ['nothing', { prompt: '0', flex_prompt: '0.000001' }, { prompt: '0.00002' }, 2_400_000n],
    ['no usual price', { flex_prompt: '0.000001' }, { prompt: '0.00002' }, 2_400_000n],
    ['no price for longer prompts', { prompt: '0.00001', flex_prompt: '0.000005' }, {}, 400_000n],
  ])('is charged as usual where it could only be told in proportion to %s', (_what, base, above, cost) => {
    const tiers = [{ abovePromptTokens: 50, prices: parseUnitPrices({ completion: '0.00004', ...above }) }]
    const odd = { id: 'p', base: parseUnitPrices({ completion: '0.00004', ...base }), tiers }
    const counted = { ...noUsage, uncachedInput: 100, textOutput: 10 }
    expect(chargeFor(withServiceTier(counted, 'flex'), odd).cost).toBe(cost)
  })

  it('is charged as usual for what is cached where prompts cost nothing', () => {
    const base = { prompt: '0', flex_prompt: '0.000001', cache_read: '0.0000005', completion: '0.00004' }
    const counted = { ...noUsage, uncachedInput: 100, cacheRead: 10, textOutput: 10 }
    const odd = { id: 'p', base: parseUnitPrices(base), tiers: [] }
    expect(chargeFor(withServiceTier(counted, 'flex'), odd).cost).toBe(505_000n)
  })

  it.each<[ServiceTier | undefined, bigint]>([
    // 300,000 × 10 and 1,000 × 45 dollars per million, then half of it, then 2.5 times as much.
    [undefined, 3_045_000_000n],
    ['flex', 1_522_500_000n],
    ['priority', 7_612_500_000n],
  ])('V9: %s of a longer prompt is in proportion, where the tier of the prompt has no price for it', (tier, cost) => {
    const base = {
      prompt: '0.000005',
      completion: '0.00003',
      flex_prompt: '0.0000025',
      flex_completion: '0.000015',
      priority_prompt: '0.0000125',
      priority_completion: '0.000075',
    }
    const above = { prompt: '0.00001', completion: '0.000045' }
    const tiers = [{ abovePromptTokens: 272_000, prices: parseUnitPrices(above) }]
    const long = { id: 'p', base: parseUnitPrices(base), tiers }
    const counted = { ...noUsage, uncachedInput: 300_000, textOutput: 1_000 }
    const { cost: charged } = chargeFor(withServiceTier(counted, tier), long)
    expect(charged).toBe(cost)
    expect(worstWords({ prompt: 300_000, completion: 1_000 }, heldPrices(long, tier))).toBeGreaterThanOrEqual(charged)
  })

  it('without a price is charged as usual', () => {
    const plain = { ...list, base: parseUnitPrices({ prompt: '0.000002', completion: '0.000008' }) }
    expect(chargeFor(withServiceTier(usage, 'priority'), plain)).toEqual(chargeFor(usage, plain))
  })

  it('leaves a price as it is where no usual one says how much dearer it becomes', () => {
    const base = parseUnitPrices({ priority_prompt: '0.0000035', cache_read: '0.0000005' })
    expect(heldPrices({ ...list, base }, 'priority').base).toEqual(base)
  })

  it('is asked for in the words of OpenAI, where it has a price', () => {
    expect(['priority', 'fast', 'flex', 'auto', 'default', 7].map((word) => asked({ service_tier: word }))).toEqual([
      'priority',
      'priority',
      'flex',
      undefined,
      undefined,
      undefined,
    ])
    expect(asked({ service_tier: 'priority' }, 'openai', { ...list, base: {} })).toBeUndefined()
    const half = { ...list, base: { flex_prompt: list.base.prompt } as PriceList['base'] }
    expect(asked({ service_tier: 'flex' }, 'openai', half)).toBeUndefined()
    const otherHalf = { ...list, base: parseUnitPrices({ flex_completion: '0.000004' }) }
    expect(asked({ service_tier: 'flex' }, 'openai', otherHalf)).toBeUndefined()
  })

  it('is asked of Claude as a speed, and of no model of others', () => {
    expect(['fast', 'standard', 1.25].map((speed) => asked({ speed }, 'anthropic'))).toEqual([
      'priority',
      undefined,
      undefined,
    ])
    expect(asked({ speed: 'fast' }, 'anthropic', { ...list, base: {} })).toBeUndefined()
    expect(asked({ service_tier: 'priority' }, 'anthropic')).toBeUndefined()
    expect(asked({ speed: 'fast' })).toBeUndefined()
    for (const author of ['google', 'x-ai']) {
      expect(asked({ service_tier: 'priority', speed: 'fast' }, author)).toBeUndefined()
    }
  })

  it('never costs more than was held for it, nor does an answer in the usual one', () => {
    const price = fc.bigInt({ min: 0n, max: 10n ** 14n }).map((units) => formatUnitPrice(units))
    const names = 'cache_read cache_write cache_write_1h audio_input reasoning audio_output'.split(' ')
    const tierNames = 'flex_prompt flex_completion priority_prompt priority_completion'.split(' ')
    const others = fc.dictionary(fc.constantFrom(...names, ...tierNames), price)
    const prices = fc
      .tuple(price, price, others)
      .map(([prompt, completion, rest]): Record<string, string> => ({ ...rest, prompt, completion }))
    const counts = fc.record(
      Object.fromEntries([...inputClasses, ...outputClasses].map((name) => [name, fc.nat(100_000)])),
    )
    fc.assert(
      fc.property(
        prices,
        prices,
        counts,
        fc.constantFrom<ServiceTier>('flex', 'priority'),
        fc.boolean(),
        (base, above, given, tier, isServed) => {
          const tiered: PriceList = {
            id: 'p',
            base: parseUnitPrices(base),
            tiers: [{ abovePromptTokens: 50_000, prices: parseUnitPrices(above) }],
          }
          const classes: UsageClasses = { ...noUsage, ...given }
          const sum = (items: readonly (keyof UsageClasses)[]) =>
            items.reduce((total, item) => total + classes[item], 0)
          const held = worstWords(
            { prompt: sum(inputClasses), completion: sum(outputClasses) },
            heldPrices(tiered, tier),
          )
          const { cost } = chargeFor(withServiceTier(classes, isServed ? tier : undefined), tiered)
          expect(cost <= held).toBe(true)
        },
      ),
    )
  })
})

describe('the tier that an answer is charged in', () => {
  const seller = { model: { author: 'openai' }, price: list }
  it.each<[string, JsonObject, ServiceTier | undefined, ServiceTier | undefined]>([
    ['the one that was asked for', { service_tier: 'priority' }, 'priority', 'priority'],
    ['the usual one where no other served it', { service_tier: 'priority' }, undefined, undefined],
    ['the usual one where none was asked for', {}, 'priority', undefined],
    ['the usual one where another was asked for', { service_tier: 'flex' }, 'priority', undefined],
  ])('is %s', (_what, body, served, chargedIn) => {
    const charged = inAskedTier(withServiceTier(usage, served), body, seller)
    expect(chargeFor(charged, list).cost).toBe(chargeFor(withServiceTier(usage, chargedIn), list).cost)
  })
})
