import { describe, expect, it } from 'vitest'
import { noUsage, type Usage, type UsageClasses } from '#domain/inference/usage.ts'
import { chargeFor, plainCharge, roundUp, tokenTotals } from './charge.ts'
import { type PriceList, parseUnitPrices } from './price-list.ts'
import { receiptLines } from './receipt-lines.ts'

function list(units: Record<string, string>, tiers: PriceList['tiers'] = []): PriceList {
  return { id: 'p', base: parseUnitPrices(units), tiers }
}

function use(tokens: Partial<UsageClasses>, media?: Usage['media']): Usage {
  return { ...noUsage, ...tokens, ...(media === undefined ? {} : { media }) }
}

function receipt(usage: Usage, prices: PriceList) {
  return { ...chargeFor(usage, prices), lines: receiptLines(usage, prices) }
}

const words = list({ prompt: '0.000003', completion: '0.000015', cache_read: '0.0000003', per_request: '0.01' })

describe('a receipt', () => {
  it('[MONEY-01] has a line for each class of tokens and for the request, in nano-dollars to the last', () => {
    // 1,000 x 3,000 + 500 x 300 + 200 x 15,000 + 10,000,000 = 16,150,000 nano-dollars.
    expect(receipt(use({ uncachedInput: 1_000, cacheRead: 500, textOutput: 200 }), words)).toEqual({
      cost: 16_150_000n,
      cacheDiscount: 1_350_000n,
      lines: [
        { item: 'uncachedInput', count: 1_000, unitPriceUsd: '0.000003' },
        { item: 'cacheRead', count: 500, unitPriceUsd: '0.0000003' },
        { item: 'textOutput', count: 200, unitPriceUsd: '0.000015' },
        { item: 'request', count: 1, unitPriceUsd: '0.01' },
      ],
    })
  })

  it.each([{}, { per_request: '0' }])('has no line for a request that costs nothing: %j', (units) => {
    expect(receiptLines(use({ uncachedInput: 1 }), list({ prompt: '1', ...units }))).toEqual([
      { item: 'uncachedInput', count: 1, unitPriceUsd: '1' },
    ])
  })

  it('counts media in whole units and their parts, and rounds once over all of it', () => {
    const prices = list({ prompt: '0.000001', per_second_input: '0.0000000003', per_request: '0.000000000000000001' })
    // 2,000 nano-dollars for the text, 12.345 x 0.3 = 3.7035 for the audio, a billionth of one for the request.
    expect(receipt(use({ uncachedInput: 2 }, { inputAudioMs: 12_345 }), prices)).toEqual({
      cost: 2_004n,
      cacheDiscount: 0n,
      lines: [
        { item: 'uncachedInput', count: 2, unitPriceUsd: '0.000001' },
        { item: 'per_second_input', count: 12.345, unitPriceUsd: '0.0000000003' },
        { item: 'request', count: 1, unitPriceUsd: '0.000000000000000001' },
      ],
    })
  })

  it('of what an upstream has stated has that one line', () => {
    const stated = use({ uncachedInput: 1_000, cacheRead: 7 }, { statedNano: 1_500_000_000 })
    expect(receipt(stated, words)).toEqual({
      cost: 1_500_000_000n,
      cacheDiscount: 0n,
      lines: [{ item: 'stated_by_upstream', count: 1, unitPriceUsd: '1.5' }],
    })
    expect(chargeFor(use({}, { statedNano: 0 }), words).cost).toBe(0n)
  })

  const atLeast = list({ per_second_output: '0.1', per_request_minimum: '0.3' })
  it.each([
    [2_000, 300_000_000n, ['per_second_output', 'per_request_minimum']],
    [3_000, 300_000_000n, ['per_second_output']],
    [3_001, 300_100_000n, ['per_second_output']],
  ])('of %i ms of video names the minimum only where it was charged', (outputVideoMs, cost, items) => {
    const { cost: charged, lines } = receipt(use({}, { outputVideoMs }), atLeast)
    expect(charged).toBe(cost)
    expect(lines.map(({ item }) => item)).toEqual(items)
  })

  it('has no line for characters where there were none', () => {
    const prices = list({ per_image_output: '0.04', per_character: '0.01' })
    expect(receiptLines(use({}, { outputImages: 1 }), prices).map(({ item }) => item)).toEqual(['per_image_output'])
  })

  it.each([{}, { prompt: '0' }])('is for characters where tokens were counted that cost nothing: %j', (units) => {
    const prices = list({ per_character: '0.01', ...units })
    expect(chargeFor(use({ uncachedInput: 5 }, { inputCharacters: 7 }), prices).cost).toBe(70_000_000n)
  })

  describe('of searches', () => {
    const searching = { prompt: '0.000002', completion: '0.000008', web_search: '0.005', citation_token: '0.000002' }

    it('[M1] [M2] has a line for the searches and one for the quoted tokens, and each is charged once', () => {
      const usage = use({ uncachedInput: 100, textOutput: 10 }, { webSearches: 74, citationTokens: 7_299 })
      // 200,000 + 80,000 + 74 x 5,000,000 + 7,299 x 2,000 nano-dollars.
      expect(receipt(usage, list(searching))).toEqual({
        cost: 384_878_000n,
        cacheDiscount: 0n,
        lines: [
          { item: 'uncachedInput', count: 100, unitPriceUsd: '0.000002' },
          { item: 'textOutput', count: 10, unitPriceUsd: '0.000008' },
          { item: 'web_search', count: 74, unitPriceUsd: '0.005' },
          { item: 'citation_token', count: 7_299, unitPriceUsd: '0.000002' },
        ],
      })
    })

    it.each([
      ['at the price of a search where the list has one for the web', { web_search: '0.01', per_search: '0.3' }, 0.01],
      ['at the price of any search where it has none', { per_search: '0.3' }, 0.3],
      ['at that too where the web is named with nothing', { web_search: '0', per_search: '0.3' }, 0.3],
      ['at nothing where no search has a price', {}, 0],
    ])('[M2] charges them %s', (_what, units, usd) => {
      const usage = use({}, { webSearches: 3, citationTokens: 9 })
      expect(chargeFor(usage, list(units)).cost).toBe(BigInt(Math.round(usd * 3e9)))
    })

    it('[M1] charges them by how much of each source was read, where the list says so', () => {
      const rules = [
        { unit: 'web_search' as const, price: parsed('0.012'), when: { search_context_size: 'high' } },
        { unit: 'web_search' as const, price: parsed('0.008'), when: { search_context_size: 'medium' } },
      ]
      const costOf = (size: string) =>
        chargeFor(use({}, { webSearches: 1, variant: { search_context_size: size } }), { ...list(searching), rules })
          .cost
      expect(['low', 'medium', 'high'].map(costOf)).toEqual([5_000_000n, 8_000_000n, 12_000_000n])
    })

    it('has no minimum for the words that they were made for', () => {
      const usage = use({ textOutput: 1 }, { webSearches: 1, citationTokens: 1, variant: { a: 'b' } })
      expect(chargeFor(usage, list({ completion: '0.1', web_search: '0.2', per_request_minimum: '5' })).cost).toBe(
        300_000_000n,
      )
    })
  })

  it('has no minimum for words, whatever the list says', () => {
    expect(chargeFor(use({ uncachedInput: 1 }), list({ prompt: '0.1', per_request_minimum: '5' })).cost).toBe(
      100_000_000n,
    )
  })

  it('has the minimum that a rule says for the variant', () => {
    const rules = [{ unit: 'per_request_minimum' as const, price: parsed('0.7'), when: { resolution: '4k' } }]
    const variant = { resolution: '4k' }
    expect(chargeFor(use({}, { outputVideoMs: 1_000, variant }), { ...atLeast, rules }).cost).toBe(700_000_000n)
    expect(chargeFor(use({}, { outputVideoMs: 1_000 }), { ...atLeast, rules }).cost).toBe(300_000_000n)
  })
})

function parsed(usd: string) {
  const { prompt } = parseUnitPrices({ prompt: usd })
  return prompt ?? expect.fail('the price was not read')
}

describe('[USAGE-11] the cache discount', () => {
  it.each([
    ['what the cached tokens saved', { prompt: '0.000003', cache_read: '0.0000003' }, 1_000, 2_700_000n],
    ['rounded down, so that it never promises more', { prompt: '0.0000000019', cache_read: '0' }, 1, 1n],
    ['nothing without cached tokens', { prompt: '0.000003', cache_read: '0.0000003' }, 0, 0n],
    ['nothing where the cache has no price', { prompt: '0.000003' }, 1_000, 0n],
    ['nothing where the cache is dearer', { prompt: '0.000001', cache_read: '0.000002' }, 1_000, 0n],
    ['nothing where input has no price', { cache_read: '0.000002' }, 1_000, 0n],
  ])('is %s', (_, units, cacheRead, discount) => {
    expect(chargeFor(use({ cacheRead }), list(units)).cacheDiscount).toBe(discount)
  })
})

describe('a plain charge', () => {
  const tiers = [{ abovePromptTokens: 100, prices: parseUnitPrices({ prompt: '0.000002', completion: '0.00001' }) }]
  it.each([
    ['input, output and the request', words, { prompt: 10, completion: 4 }, 10_090_000n],
    [
      'a tier up to its threshold',
      list({ prompt: '0.000001', completion: '0.000005' }, tiers),
      tokens(100, 2),
      110_000n,
    ],
    ['the next tier beyond it', list({ prompt: '0.000001', completion: '0.000005' }, tiers), tokens(101, 2), 222_000n],
    ['nothing where nothing has a price', list({}), tokens(10, 10), 0n],
    [
      'searches and what they quote',
      list({ prompt: '0.000001', web_search: '0.005', citation_token: '0.000002' }),
      { ...tokens(10, 2), searches: { webSearches: 2, citationTokens: 5, promptTokens: 900, isTold: false } },
      10_020_000n,
    ],
    [
      'any search where the web has no price',
      list({ per_search: '0.003' }),
      { ...tokens(0, 0), searches: { webSearches: 2, citationTokens: 5, promptTokens: 0, isTold: true } },
      6_000_000n,
    ],
    ['a part of a nano-dollar, rounded up', list({ prompt: '0.0000000001' }), tokens(1, 0), 1n],
  ])('is for %s', (_, prices, counts, cost) => {
    expect(plainCharge(counts, prices)).toBe(cost)
  })
})

function tokens(prompt: number, completion: number) {
  return { prompt, completion }
}

it.each([
  [0n, 0n],
  [1n, 1n],
  [999_999_999n, 1n],
  [1_000_000_000n, 1n],
  [1_000_000_001n, 2n],
])('[MONEY-04] %i units of 10^-18 USD are %i nano-dollars, rounded up', (units, nano) => {
  expect(roundUp(units)).toBe(nano)
})

it('[USAGE-01] counts of a request are its input, images among it, and its output', () => {
  const usage = use(
    { uncachedInput: 1, cacheRead: 2, audioInput: 4, textOutput: 8, audioOutput: 16 },
    { inputImageTokens: 32 },
  )
  expect(tokenTotals(usage)).toEqual({ prompt: 39, completion: 24, total: 63 })
})
