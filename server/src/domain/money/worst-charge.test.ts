import { describe, expect, it } from 'vitest'
import { type MediaUsage, noUsage, type Usage, type UsageClasses } from '#domain/inference/usage.ts'
import { type PriceList, parsePriceRules, parseUnitPrices } from './price-list.ts'
import { hasVideoPrice, tiersWithin, worstChargeOf } from './worst-charge.ts'

function list(units: Record<string, string>, longPrompts?: Record<string, string>): PriceList {
  const tiers = longPrompts === undefined ? [] : [{ abovePromptTokens: 100, prices: parseUnitPrices(longPrompts) }]
  return { id: 'p', base: parseUnitPrices(units), tiers }
}

function use(tokens: Partial<UsageClasses>, media?: MediaUsage): Usage {
  return { ...noUsage, ...tokens, ...(media === undefined ? {} : { media }) }
}

describe('[HOLD-10] what is held', () => {
  it.each<[string, Usage, PriceList, bigint]>([
    [
      'sums the words of the prompt, sound, and every kind of output',
      use({ uncachedInput: 1, cacheRead: 2, audioInput: 3, textOutput: 4, reasoningOutput: 5, audioOutput: 6 }),
      list({
        prompt: '0.000000001',
        cache_read: '0.00000001',
        audio_input: '0.0000001',
        completion: '0.000001',
        reasoning: '0.00001',
        audio_output: '0.0001',
      }),
      1n + 20n + 300n + 4_000n + 50_000n + 600_000n,
    ],
    [
      'has the price of the request',
      use({ textOutput: 1 }),
      list({ completion: '0.001', per_request: '0.5' }),
      501_000_000n,
    ],
    [
      'has the dearest price of the tiers that the prompt reaches',
      use({ uncachedInput: 101 }),
      list({ prompt: '0.000002', per_request: '0.000001' }, { prompt: '0.000001', per_request: '0.000003' }),
      205_000n,
    ],
    [
      'has no price of a tier that the prompt does not reach',
      use({ uncachedInput: 100 }),
      list({ prompt: '0.000001' }, { prompt: '0.000009', per_request: '1' }),
      100_000n,
    ],
    [
      'is for the words where they cost more than their characters',
      use({ uncachedInput: 10, cacheWrite5m: 10 }, { inputCharacters: 100 }),
      list({ prompt: '0.000001', cache_write: '0.000002', per_character: '0.0000001' }),
      30_000n,
    ],
    [
      'is for the characters where they cost more than the words',
      use({ uncachedInput: 10 }, { inputCharacters: 200 }),
      list({ prompt: '0.000001', per_character: '0.0000001' }),
      20_000n,
    ],
    [
      'is for the characters in place of the words alone, and for the output beside them',
      use({ uncachedInput: 10, textOutput: 4 }, { inputCharacters: 200 }),
      list({ prompt: '0.000001', completion: '0.000001', per_character: '0.0000001' }),
      24_000n,
    ],
    [
      'is for sound by its tokens or by its seconds, whichever is dearer',
      use({ audioInput: 100 }, { inputAudioMs: 10_000 }),
      list({ audio_input: '0.000001', per_second_input: '0.0001' }),
      1_000_000n,
    ],
    [
      'is for an image by its tokens where those are dearer than the piece',
      use({ imageOutput: 1_000 }, { outputImages: 1 }),
      list({ image_output_token: '0.0001', per_image_output: '0.04' }),
      100_000_000n,
    ],
    [
      'counts image tokens as words where nothing else has a price',
      use({ imageOutput: 1_000 }, {}),
      list({ completion: '0.0001' }),
      100_000_000n,
    ],
    [
      'adds the image that was given to the one that is drawn',
      use({ textOutput: 1 }, { outputImages: 1, inputImages: 2 }),
      list({ completion: '0.000001', per_image_output: '0.04', per_image_input: '0.001' }),
      42_001_000n,
    ],
    [
      'is for a video given at its own price, even if what went out is dearer',
      use({}, { outputVideoMs: 1_000, inputVideoMs: 1_000, variant: { task: 'video_edit' } }),
      list({ per_second_output: '0.5', per_second_video_input: '0.1' }),
      600_000_000n,
    ],
    [
      'is for a video given as for what went out, where its own price is zero',
      use({}, { outputVideoMs: 1_000, inputVideoMs: 1_000, variant: { task: 'video_edit' } }),
      list({ per_second_output: '0.5', per_second_video_input: '0' }),
      1_000_000_000n,
    ],
    [
      'is at least the minimum of a request for media',
      use({}, { outputVideoMs: 1_000 }),
      list({ per_second_output: '0.1', per_request_minimum: '0.3' }),
      300_000_000n,
    ],
    [
      'has no minimum for words',
      use({ uncachedInput: 1 }),
      list({ prompt: '0.1', per_request_minimum: '3' }),
      100_000_000n,
    ],
    [
      'has the dearest minimum of the tiers that the prompt reaches',
      use({ uncachedInput: 101 }, { outputImages: 1 }),
      list({ per_request_minimum: '0.3' }, { per_request_minimum: '0.4' }),
      400_000_000n,
    ],
    ['is nothing where nothing has a price', use({ uncachedInput: 5 }, { outputImages: 1 }), list({}), 0n],
    [
      'is rounded up once over all of it',
      use({ uncachedInput: 1 }, { outputPixels: 1 }),
      list({ prompt: '0.0000000001', per_megapixel_output: '0.000000000000000001' }),
      1n,
    ],
    [
      'is a nano-dollar more where a pixel goes beyond it',
      use({ uncachedInput: 1 }, { outputPixels: 1 }),
      list({ prompt: '0.000000001', per_megapixel_output: '0.000000000000000001' }),
      2n,
    ],
  ])('%s', (_, most, prices, held) => {
    expect(worstChargeOf(most, prices)).toBe(held)
  })

  it('has the minimum of a variant that is known, and the dearest of those that are not', () => {
    const rules = parsePriceRules([
      { unit: 'per_request_minimum', usd: '0.9', when: { resolution: '4k' } },
      { unit: 'per_request_minimum', usd: '0.6', when: { resolution: '2k' } },
    ])
    const ruled = { ...list({ per_request_minimum: '0.3' }), ...rules }
    expect(worstChargeOf(use({}, { outputImages: 1 }), ruled)).toBe(900_000_000n)
    expect(worstChargeOf(use({}, { outputImages: 1, variant: { resolution: '2k' } }), ruled)).toBe(600_000_000n)
    expect(worstChargeOf(use({}, { outputImages: 1, variant: { resolution: '1k' } }), ruled)).toBe(300_000_000n)
  })
})

it.each([
  [0, 1],
  [100, 1],
  [101, 2],
])('a prompt of %i tokens reaches %i tiers, the plain prices among them', (promptTokens, count) => {
  const tiered = list({ prompt: '1' }, { prompt: '2' })
  const reached = [tiered.base, ...tiered.tiers.map(({ prices }) => prices)].slice(0, count)
  expect(tiersWithin(tiered, promptTokens)).toEqual(reached)
})

describe('[P10] a video has a price', () => {
  const made = use({}, { outputVideoMs: 5_000, videoTokens: 10 })
  const fine = use({}, { outputVideoMs: 5_000, variant: { resolution: '1080p' } })
  const edited = use({}, { inputVideoMs: 5_000, variant: { task: 'video_edit' } })
  it.each<[string, Usage, Record<string, string>, boolean]>([
    ['by its seconds', made, { per_second_output: '0.1' }, true],
    ['by its tokens', made, { video_output_token: '0.1' }, true],
    ['of its resolution alone', fine, { per_second_output_1080p: '0.1' }, true],
    ['not of a finer resolution than it has', made, { per_second_output_1080p: '0.1' }, false],
    ['not by what is given', made, { per_second_video_input: '0.1', per_image_input: '0.1' }, false],
    ['not by the price of what came in, counted as what went out', edited, { per_second_output: '0.1' }, false],
    ['not by words', made, { prompt: '0.1', completion: '0.1' }, false],
    ['not where nothing is made', use({}, {}), { per_second_output: '0.1' }, false],
  ])('%s', (_, most, units, expected) => {
    expect(hasVideoPrice(most, list(units))).toBe(expected)
  })

  it('in a tier that the prompt reaches, and only there', () => {
    const tiered = list({}, { per_second_output: '0.1' })
    expect(hasVideoPrice(use({ uncachedInput: 101 }, { outputVideoMs: 1 }), tiered)).toBe(true)
    expect(hasVideoPrice(use({ uncachedInput: 100 }, { outputVideoMs: 1 }), tiered)).toBe(false)
  })
})
