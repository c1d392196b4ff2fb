import { describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { chargeFor } from './charge.ts'
import { pricesAt } from './price-clock.ts'
import { type PriceList, parsePriceRules, parseUnitPrices } from './price-list.ts'
import { worstWords } from './worst-words.ts'

const peak = { prompt: '0.00000132', completion: '0.00000396', cache_read: '0.000000044' }
const offPeak = 'Mon-Fri 00:00-01:00 04:00-06:00 10:00-24:00; Sat,Sun 00:00-24:00'
const since = '2026-08-16T16:00Z'

/** DeepSeek V4 Pro, from its pricing page: off-peak requests cost half. */
const deepseek: PriceList = {
  id: 'p',
  base: parseUnitPrices(peak),
  tiers: [],
  ...parsePriceRules([
    { unit: 'prompt', usd: '0.00000066', when: { utc: offPeak, from: since } },
    { unit: 'completion', usd: '0.00000198', when: { utc: offPeak, from: since } },
    { unit: 'cache_read', usd: '0.000000022', when: { utc: offPeak, from: since } },
  ]),
}

const million = { ...noUsage, uncachedInput: 1_000_000, textOutput: 1_000_000 }

function costAt(list: PriceList, at: string): bigint {
  return chargeFor(million, pricesAt(list, Date.parse(at))).cost
}

describe('V7: a price that depends on the time', () => {
  // 2026-11-16 is a Monday. 1.32 + 3.96 = 5.28 USD, and half of it is 2.64.
  it.each<[string, bigint]>([
    ['2026-11-16T00:59:59Z', 2_640_000_000n],
    ['2026-11-16T01:00:00Z', 5_280_000_000n],
    ['2026-11-16T03:59:59Z', 5_280_000_000n],
    ['2026-11-16T04:00:00Z', 2_640_000_000n],
    ['2026-11-16T06:00:00Z', 5_280_000_000n],
    ['2026-11-16T10:00:00Z', 2_640_000_000n],
    ['2026-11-21T02:00:00Z', 2_640_000_000n],
    // Before the announced day the highest known price applies.
    ['2026-08-16T15:59:59Z', 5_280_000_000n],
    ['2026-08-16T16:00:00Z', 2_640_000_000n],
  ])('is at %s %s nano-dollars', (at, cost) => {
    expect(costAt(deepseek, at)).toBe(cost)
  })

  it('is the dearest where code does not ask for the time, in a hold as in a charge', () => {
    expect(chargeFor(million, deepseek).cost).toBe(5_280_000_000n)
    expect(worstWords({ prompt: 1_000_000, completion: 1_000_000 }, deepseek)).toBe(5_280_000_000n)
  })

  it('is held for at least as dear as it is charged, at every hour of a week', () => {
    for (let hour = 0; hour < 24 * 7; hour += 1) {
      const now = pricesAt(deepseek, Date.parse('2026-11-16T00:30Z') + hour * 3_600_000)
      const held = worstWords({ prompt: 1_000_000, completion: 1_000_000 }, now)
      expect(chargeFor(million, now).cost).toBeLessThanOrEqual(held)
    }
  })

  it('changes the longer prompts in proportion, rounded up', () => {
    const tiers = [
      { abovePromptTokens: 10, prices: parseUnitPrices({ prompt: '0.000000000000000003', completion: '1' }) },
    ]
    const list = {
      id: 'p',
      base: parseUnitPrices({ prompt: '2', completion: '4' }),
      tiers,
      ...parsePriceRules([{ unit: 'prompt', usd: '1', when: { until: '2030-01-01T00:00Z' } }]),
    }
    const before = pricesAt(list, Date.parse('2029-12-31T23:59Z'))
    expect(before.base).toEqual(parseUnitPrices({ prompt: '1', completion: '4' }))
    expect(before.tiers[0]?.prices).toEqual(parseUnitPrices({ prompt: '0.000000000000000002', completion: '1' }))
    expect(pricesAt(list, Date.parse('2030-01-01T00:00Z'))).toEqual({ id: 'p', base: list.base, tiers })
  })

  it.each<[string, Record<string, string>, Record<string, string>]>([
    ['no price of that unit', { prompt: '2' }, { completion: '9' }],
    ['a price of its own, and the plain one is nothing', { prompt: '0' }, { prompt: '9', completion: '9' }],
    ['a price of its own, and there is no plain one', {}, { prompt: '9', completion: '9' }],
  ])('leaves longer prompts as they are that have %s', (_what, base, above) => {
    const prices = parseUnitPrices(above)
    const rules = parsePriceRules([{ unit: 'prompt', usd: '0', when: { until: '2030-01-01T00:00Z' } }])
    const list = { id: 'p', base: parseUnitPrices(base), tiers: [{ abovePromptTokens: 10, prices }], ...rules }
    expect(pricesAt(list, 0).tiers).toEqual([{ abovePromptTokens: 10, prices }])
  })

  it('is the dearest of rules that hold at once, and keeps rules of variants', () => {
    const variant = { unit: 'web_search', usd: '3', when: { search_context_size: 'high' } } as const
    const list = {
      id: 'p',
      base: parseUnitPrices({ prompt: '9', web_search: '5' }),
      tiers: [],
      ...parsePriceRules([
        { unit: 'prompt', usd: '2', when: { utc: '00:00-12:00' } },
        { unit: 'prompt', usd: '3', when: { utc: '06:00-12:00' } },
        { unit: 'prompt', usd: '1', when: { utc: '06:00-12:00' } },
        variant,
        { unit: 'web_search', usd: '2', when: { utc: '00:00-12:00', search_context_size: 'high' } },
      ]),
    }
    const now = pricesAt(list, Date.parse('2026-11-16T07:00Z'))
    expect(now.base).toEqual(parseUnitPrices({ prompt: '3', web_search: '5' }))
    expect(now.rules).toEqual(
      parsePriceRules([variant, { unit: 'web_search', usd: '2', when: { search_context_size: 'high' } }]).rules,
    )
    expect(pricesAt(list, Date.parse('2026-11-16T13:00Z')).rules).toEqual(parsePriceRules([variant]).rules)
  })

  it('is the same list where nothing depends on the time', () => {
    const plain = { id: 'p', base: parseUnitPrices(peak), tiers: [] }
    expect(pricesAt(plain, 0)).toBe(plain)
  })
})

it('is the same list for the same rules in force, and equal to one that was never asked before', () => {
  const start = Date.parse('2026-08-16T00:30Z')
  const seen = new Set<PriceList>()
  for (let hour = 0; hour < 24 * 7; hour += 1) {
    const atMs = start + hour * 3_600_000
    const kept = pricesAt(deepseek, atMs)
    expect(kept).toEqual(pricesAt({ ...deepseek }, atMs))
    seen.add(kept)
  }
  expect(seen.size).toBe(2)
})
