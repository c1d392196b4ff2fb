import { expect, it } from 'vitest'
import { withServiceTier } from '#domain/inference/service-tier.ts'
import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { chargeFor } from './charge.ts'
import { type PriceList, type PriceUnit, parseUnitPrices, priceUnits } from './price-list.ts'
import { receiptLines } from './receipt-lines.ts'

const words: Usage = { ...noUsage, uncachedInput: 1, textOutput: 1 }

/** Usage that each unit charges for. */
const charged: Partial<Record<PriceUnit, Usage>> = {
  prompt: words,
  completion: words,
  cache_read: { ...noUsage, cacheRead: 1 },
  cache_write: { ...noUsage, cacheWrite5m: 1 },
  cache_write_1h: { ...noUsage, cacheWrite1h: 1 },
  audio_input: { ...noUsage, audioInput: 1 },
  audio_output: { ...noUsage, audioOutput: 1 },
  audio_cache_read: { ...noUsage, cacheRead: 1, media: { cachedAudioTokens: 1 } },
  reasoning: { ...noUsage, reasoningOutput: 1 },
  image_input_token: { ...noUsage, media: { inputImageTokens: 1 } },
  image_output_token: { ...noUsage, imageOutput: 1 },
  per_request: words,
  per_image_output: { ...noUsage, media: { outputImages: 1 } },
  per_image_input: { ...noUsage, media: { inputImages: 1 } },
  per_character: { ...noUsage, media: { inputCharacters: 1 } },
  per_second_input: { ...noUsage, media: { inputAudioMs: 1_000 } },
  per_second_output: { ...noUsage, media: { outputVideoMs: 1_000 } },
  per_second_output_1080p: { ...noUsage, media: { outputVideoMs: 1_000, variant: { resolution: '1080p' } } },
  per_second_video_input: { ...noUsage, media: { inputVideoMs: 1_000 } },
  per_request_minimum: { ...noUsage, media: { outputImages: 1 } },
  per_megapixel_input: { ...noUsage, media: { inputPixels: 1_000_000 } },
  per_megapixel_output: { ...noUsage, media: { outputPixels: 1_000_000 } },
  per_pixel_output: { ...noUsage, media: { outputPixels: 1 } },
  per_search: { ...noUsage, media: { webSearches: 1 } },
  web_search: { ...noUsage, media: { webSearches: 1 } },
  video_output_token: { ...noUsage, media: { videoTokens: 1 } },
  citation_token: { ...noUsage, media: { citationTokens: 1 } },
  flex_prompt: withServiceTier(words, 'flex'),
  flex_completion: withServiceTier(words, 'flex'),
  priority_prompt: withServiceTier(words, 'priority'),
  priority_completion: withServiceTier(words, 'priority'),
}

/** Units that no request uses. A file may state them, and no page shows them. */
const unread: readonly PriceUnit[] = [
  // There is no batch API.
  'batch_prompt',
  'batch_completion',
  // No endpoint bills by these: speech counts its input characters, and videos count seconds or tokens.
  'per_character_output',
  'per_second_audio_input',
  'per_megapixel_second_output',
]

it.each(priceUnits.filter((unit) => !unread.includes(unit)))('V13: a price of %s is charged', (unit) => {
  const usage = charged[unit]
  expect(usage, 'no usage here is charged by it').toBeDefined()
  const list = { id: 'p', base: parseUnitPrices({ [unit]: '1' }), tiers: [] }
  expect(chargeFor(usage ?? noUsage, list).cost).toBe(1_000_000_000n)
})

it('V13: the list of units that nothing is charged by is complete', () => {
  const missing = priceUnits.filter((unit) => charged[unit] === undefined)
  expect(missing.toSorted()).toEqual(unread.toSorted())
})

function listOf(prices: Record<string, string>): PriceList {
  return { id: 'p', base: parseUnitPrices({ prompt: '0.000001', ...prices }), tiers: [] }
}

it('V13: cached sound costs its own price, else that of all that is cached', () => {
  const usage = { ...noUsage, uncachedInput: 10, cacheRead: 100, media: { cachedAudioTokens: 40 } }
  const costOf = (prices: Record<string, string>) => chargeFor(usage, listOf(prices)).cost
  const own = { cache_read: '0.0000001', audio_cache_read: '0.0000005' }
  // 10 at 1,000, 60 at 100 and 40 at 500 nano-dollars.
  expect(costOf(own)).toBe(36_000n)
  expect(receiptLines(usage, listOf(own)).map(({ item, count }) => [item, count])).toEqual([
    ['uncachedInput', 10],
    ['cacheRead', 60],
    ['audio_cache_read', 40],
  ])
  expect(costOf({ cache_read: '0.0000001' })).toBe(20_000n)
  expect(costOf({ cache_read: '0' })).toBe(10_000n)
  expect(costOf({})).toBe(110_000n)
})
