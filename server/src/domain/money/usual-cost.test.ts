import { expect, it } from 'vitest'
import type { PricedKind, PriceList } from './price-list.ts'
import { parsePriceRules, parseUnitPrices } from './price-list.ts'
import { usualCost } from './usual-cost.ts'

const list = (units: Record<string, string>): PriceList => ({ id: 'p', base: parseUnitPrices(units), tiers: [] })

it.each<[Exclude<PricedKind, 'text'>, Record<string, string>, bigint]>([
  // A million tokens.
  ['embedding', { prompt: '0.0000001' }, 100_000_000n],
  // 100 text tokens, and 1,290 tokens, one image or 1,048,576 pixels of output.
  ['image', { prompt: '0.000001', image_output_token: '0.00001' }, 13_000_000n],
  ['image', { prompt: '0.000001', per_image_output: '0.04' }, 40_100_000n],
  ['image', { per_pixel_output: '0.000000001' }, 1_048_576n],
  ['moderation', { prompt: '0.0000001' }, 100_000_000n],
  ['translation', { per_second_input: '0.0001', completion: '0.000005' }, 7_000_000n],
  // One search, or 20,000 tokens.
  ['rerank', { per_search: '0.002', prompt: '0' }, 2_000_000n],
  ['rerank', { prompt: '0.00000005' }, 1_000_000n],
  // A million characters.
  ['speech', { per_character: '0.00001' }, 10_000_000_000n],
  // Five seconds, or 108,000 tokens.
  ['video', { per_second_output: '0.1' }, 500_000_000n],
  ['video', { video_output_token: '0.00001' }, 1_080_000_000n],
  // 600 tokens or a minute of audio, and 200 text tokens.
  ['transcription', { audio_input: '0.000001', completion: '0.000005' }, 1_600_000n],
  ['transcription', { per_second_input: '0.0001', completion: '0.000005' }, 7_000_000n],
])('a usual %s at %j costs %i nano-dollars', (kind, units, cost) => {
  expect(usualCost(list(units), kind)).toBe(cost)
})

it('a usual video has 720p and sound', () => {
  const rules = parsePriceRules([
    { unit: 'per_second_output', usd: '0.2', when: { resolution: '720p', audio: 'true' } },
    { unit: 'per_second_output', usd: '0.9', when: { resolution: '720p', audio: 'false' } },
    { unit: 'per_second_output', usd: '0.8', when: { resolution: '1080p', audio: 'true' } },
  ])
  expect(usualCost({ ...list({ per_second_output: '0.1' }), ...rules }, 'video')).toBe(1_000_000_000n)
})
