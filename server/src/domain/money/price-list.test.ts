import { describe, expect, it } from 'vitest'
import {
  isPriced,
  type PricedKind,
  type PriceUnit,
  parsePriceRules,
  parseUnitPrices,
  pricesFor,
  pricesSearches,
  priceUnits,
  statesPriceFor,
} from './price-list.ts'

/** The unit names in import files. */
const names =
  `prompt completion cache_read cache_write cache_write_1h audio_input audio_output reasoning image_input_token
  image_output_token per_request per_image_output per_image_input per_character per_second_input per_second_output
  per_second_output_1080p per_second_audio_input per_second_video_input per_megapixel_second_output per_request_minimum
  per_character_output per_megapixel_input per_megapixel_output per_pixel_output per_search web_search audio_cache_read
  video_output_token citation_token batch_prompt batch_completion flex_prompt flex_completion priority_prompt
  priority_completion`.split(/\s+/)

describe('prices of units', () => {
  it('are read by the names of the import file, each its own; other names are left alone', () => {
    const stated = Object.fromEntries(names.map((name, index) => [name, String(index)]))
    const expected = Object.fromEntries(names.map((name, index) => [name, BigInt(index) * 10n ** 18n]))
    expect(parseUnitPrices({ ...stated, per_moon: '7' })).toStrictEqual(expected)
    expect(priceUnits).toHaveLength(36)
  })

  it('are none where none is stated', () => {
    expect(parseUnitPrices({})).toStrictEqual({})
    expect(parsePriceRules([])).toStrictEqual({})
  })

  it('of variants are read with their conditions', () => {
    expect(parsePriceRules([{ unit: 'per_image_output', usd: '0.5', when: { quality: 'high' } }])).toStrictEqual({
      rules: [{ unit: 'per_image_output', price: 500_000_000_000_000_000n, when: { quality: 'high' } }],
    })
  })
})

describe('[MONEY-02] [MONEY-03] the prices of a tier', () => {
  const base = parseUnitPrices({ prompt: '1' })
  const long = parseUnitPrices({ prompt: '2' })
  const longest = parseUnitPrices({ prompt: '3' })
  const tiered = {
    id: 'p',
    base,
    tiers: [
      { abovePromptTokens: 100, prices: long },
      { abovePromptTokens: 200, prices: longest },
    ],
  }

  it.each([
    [0, base],
    [100, base],
    [101, long],
    [200, long],
    [201, longest],
  ])('hold for a prompt of %i tokens', (promptTokens, prices) => {
    expect(pricesFor(tiered, promptTokens)).toBe(prices)
  })
})

describe('[P10] a request can be charged', () => {
  it.each<[PricedKind, PriceUnit[], boolean]>([
    ['text', ['prompt', 'completion'], true],
    ['text', ['prompt'], false],
    ['text', ['completion'], false],
    ['embedding', ['prompt'], true],
    ['embedding', ['completion', 'per_character'], false],
    ['image', ['per_image_output'], true],
    ['image', ['per_megapixel_output'], true],
    ['image', ['per_pixel_output'], true],
    ['image', ['image_output_token'], true],
    ['image', ['prompt', 'completion', 'per_image_input'], false],
    ['speech', ['per_character'], true],
    ['speech', ['prompt', 'completion', 'audio_output'], false],
    ['moderation', ['prompt'], true],
    ['moderation', ['completion'], false],
    ['translation', ['per_second_input'], true],
    ['translation', ['audio_input', 'completion'], true],
    ['translation', ['prompt', 'completion'], false],
    ['rerank', ['per_search'], true],
    ['rerank', ['prompt'], true],
    ['rerank', ['completion', 'web_search'], false],
    ['transcription', ['per_second_input'], true],
    ['transcription', ['audio_input', 'completion'], true],
    ['transcription', ['audio_input'], false],
    ['transcription', ['prompt', 'completion'], false],
    ['video', ['per_second_output'], true],
    ['video', ['video_output_token'], true],
    ['video', ['per_second_output_1080p', 'per_request_minimum'], false],
  ])('for %s with prices of %j: %s', (kind, units, expected) => {
    const stated = Object.fromEntries(units.map((unit) => [unit, '0']))
    expect(statesPriceFor(kind, { units: stated })).toBe(expected)
    expect(isPriced({ base: parseUnitPrices(stated) }, kind)).toBe(expected)
  })

  it('for words where no kind is named', () => {
    expect(isPriced({ base: parseUnitPrices({ prompt: '0', completion: '0' }) })).toBe(true)
    expect(isPriced({ base: parseUnitPrices({ per_image_output: '1' }) })).toBe(false)
  })

  it.each<[PricedKind, PriceUnit[], boolean]>([
    ['video', ['per_second_output'], true],
    ['video', ['per_request_minimum', 'video_output_token'], true],
    ['video', ['per_request_minimum'], false],
    ['video', [], false],
    ['image', ['per_image_output'], false],
  ])('for %s with rules for %j alone, as only videos may: %s', (kind, units, expected) => {
    const { rules = [] } = parsePriceRules(units.map((unit) => ({ unit, usd: '1', when: { resolution: '720p' } })))
    expect(statesPriceFor(kind, { units: {}, rules })).toBe(expected)
    expect(isPriced({ base: {}, rules }, kind)).toBe(expected)
  })
})

const rulesOf = (...units: PriceUnit[]) => parsePriceRules(units.map((unit) => ({ unit, usd: '0.01', when: {} })))

describe('a price of searches', () => {
  it.each([
    ['the first unit', { base: parseUnitPrices({ prompt: '1', web_search: '0.01' }) }, true],
    ['the second unit', { base: parseUnitPrices({ prompt: '1', per_search: '0.01' }) }, true],
    ['a price of zero', { base: parseUnitPrices({ web_search: '0' }) }, true],
    ['a rule', { base: parseUnitPrices({ prompt: '1' }), ...rulesOf('prompt', 'per_search') }, true],
    ['no unit of searches', { base: parseUnitPrices({ prompt: '1' }) }, false],
    ['rules of other units', { base: parseUnitPrices({ prompt: '1' }), ...rulesOf('prompt') }, false],
  ])('is there by %s', (_what, list, isThere) => {
    expect(pricesSearches(list)).toBe(isThere)
  })
})
