import { describe, expect, test } from 'vitest'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import type { JsonObject } from '#lib/json.ts'
import { parseCatalogueFile } from './parse-catalogue-file.ts'

const plain: JsonObject = {
  id: 'acme/one',
  name: 'Acme: One',
  kind: 'chat',
  provider: 'acme',
  upstream_model_id: 'one-2026',
  context_length: 8192,
  max_completion_tokens: null,
  input_modalities: ['text'],
  output_modalities: ['text'],
  pricing: { prompt: '0.000001', completion: '0.000002' },
  status: 'active',
}

function rowOf(changes: JsonObject): CatalogueRow {
  const parsed = parseCatalogueFile([{ ...plain, ...changes }])
  if (!parsed.accepted || parsed.rows[0] === undefined) throw new Error(JSON.stringify(parsed))
  return parsed.rows[0]
}

function problemsOf(file: unknown): string[] {
  const parsed = parseCatalogueFile(file)
  return parsed.accepted ? [] : parsed.problems.map(({ path, reason }) => `${path}: ${reason}`)
}

const drawing: JsonObject = { kind: 'image', output_modalities: ['image'] }

function numbered(...usd: string[]): JsonObject {
  return {
    ...drawing,
    pricing: { per_image_output: usd[0] ?? '', per_image_input: '0.003' },
    pricing_rules: usd.map((amount, at) => ({ unit: 'output_image', usd: amount, variant: at + 1 })),
  }
}

describe('V7: rules by the clock', () => {
  const utc = 'Mon-Fri 00:00-01:00 10:00-24:00'

  test('say when a token costs less than its plain price', () => {
    const pricing_rules = [
      { unit: 'prompt', usd: '0.0000005', utc, from: '2026-08-16T16:00Z', until: '2027-01-01T00:00:00Z' },
    ]
    expect(rowOf({ pricing_rules }).prices).toMatchObject([
      {
        units: { prompt: '0.000001', completion: '0.000002' },
        rules: [
          { unit: 'prompt', usd: '0.0000005', when: { utc, from: '2026-08-16T16:00Z', until: '2027-01-01T00:00:00Z' } },
        ],
      },
    ])
  })

  test.each<[string, JsonObject, string]>([
    [
      'hours that are none',
      { unit: 'prompt', usd: '0.0000005', utc: 'at night' },
      '[0].pricing_rules[0].utc: must be hours of the week in UTC',
    ],
    [
      'an instant that is none',
      { unit: 'prompt', usd: '0.0000005', from: '2026-08-16' },
      '[0].pricing_rules[0].from: must be a time in UTC',
    ],
    [
      'a day that is none',
      { unit: 'prompt', usd: '0.0000005', until: '2026-13-16T00:00Z' },
      '[0].pricing_rules[0].until: must be a time in UTC',
    ],
    [
      'a dearer price',
      { unit: 'prompt', usd: '0.0000011', utc },
      '[0].pricing_rules[0].usd: higher than pricing.prompt',
    ],
    [
      'no plain price',
      { unit: 'cache_read', usd: '0.0000001', utc },
      '[0].pricing_rules[0]: pricing.cache_read is missing',
    ],
    [
      'a token of another kind',
      { unit: 'prompt', usd: '0.0000005', quality: 'high' },
      '[0].pricing_rules[0]: the price of prompt can only',
    ],
  ])('are refused with %s', (_what, rule, problem) => {
    expect(problemsOf([{ ...plain, pricing_rules: [rule] }])).toEqual([expect.stringContaining(problem)])
  })
})

describe('rules of prices', () => {
  test('[M1] tell searches apart by how much of each source is read', () => {
    const pricing = { prompt: '0.000001', completion: '0.000001', web_search: '0.005' }
    const pricing_rules = [{ unit: 'web_search', usd: '0.012', search_context_size: 'high' }]
    expect(rowOf({ pricing, pricing_rules }).prices).toMatchObject([
      { rules: [{ unit: 'web_search', usd: '0.012', when: { search_context_size: 'high' } }] },
    ])
  })

  test('[P10] become prices of variants, in our units and with conditions as texts', () => {
    const pricing_rules = [
      { unit: 'second', usd: '0.40', resolution: '4k', audio: true },
      { unit: 'video_token', usd: '0.000007', task: 'text_to_video', input_video: false },
      { unit: 'megapixel_second', usd: '0.075', mode: 'precise' },
      { unit: 'output_image', usd: '0.09', quality: 'high', size: '1024x1024' },
    ]
    expect(rowOf({ pricing: {}, pricing_rules }).prices).toEqual([
      {
        provider: 'acme',
        variant: '',
        units: {},
        tiers: [],
        rules: [
          { unit: 'per_second_output', usd: '0.4', when: { resolution: '4k', audio: 'true' } },
          { unit: 'video_output_token', usd: '0.000007', when: { task: 'text_to_video', input_video: 'false' } },
          { unit: 'per_megapixel_second_output', usd: '0.075', when: { mode: 'precise' } },
          { unit: 'per_image_output', usd: '0.09', when: { quality: 'high', size: '1024x1024' } },
        ],
      },
    ])
  })

  test('[P10] without a condition are plain prices', () => {
    const pricing_rules = [
      { unit: 'input_image', usd: '0.003' },
      { unit: 'minimum_per_generation', usd: '0.56' },
    ]
    const [price] = rowOf({
      ...drawing,
      pricing: { per_image_output: '0.04', per_image_input: '0.003' },
      pricing_rules,
    }).prices
    const units = { per_image_output: '0.04', per_image_input: '0.003', per_request_minimum: '0.56' }
    expect(price).toEqual({ provider: 'acme', variant: '', units, tiers: [] })
  })

  test('[P10] by number price nothing where the numbers differ, for no request tells its number', () => {
    expect(rowOf(numbered('0.045', '0.09')).prices[0]?.units).toEqual({ per_image_input: '0.003' })
    expect(rowOf(numbered('0.03', '0.03')).prices[0]?.units).toEqual({
      per_image_input: '0.003',
      per_image_output: '0.03',
    })
  })

  test('are an offer’s own where it states them', () => {
    const offer = { provider: 'other', pricing: { per_image_output: '0.03' } }
    const ruled = { ...offer, pricing_rules: [{ unit: 'output_image', usd: '0.06', resolution: '4k' }] }
    const { prices } = rowOf({ ...drawing, pricing: { per_image_output: '0.04' }, offers: [ruled] })
    expect(prices.map(({ provider, rules = [] }) => [provider, rules.length])).toEqual([
      ['acme', 0],
      ['other', 1],
    ])
  })

  test.each<[string, JsonObject, string]>([
    [
      'an unknown unit',
      { unit: 'smell', usd: '1' },
      '[0].pricing_rules[0].unit: unknown: smell; use one of output_image',
    ],
    ['no unit', { usd: '1' }, '[0].pricing_rules[0].unit: a string is required'],
    ['no price', { unit: 'second' }, '[0].pricing_rules[0].usd: a price is required'],
    [
      'a price that is a number',
      { unit: 'second', usd: 0.4 },
      '[0].pricing_rules[0].usd: must be a non-negative decimal, as a string',
    ],
    ['a price of a million', { unit: 'video_token', usd: '7' }, '[0].pricing_rules[0].usd: more than 0.01 USD'],
    ['an unknown condition', { unit: 'second', usd: '1', mood: 'calm' }, '[0].pricing_rules[0].mood: unknown'],
    [
      'a condition that is a list',
      { unit: 'second', usd: '1', size: [] },
      '[0].pricing_rules[0].size: must be a string, an integer or a boolean',
    ],
    [
      'another price than the plain one',
      { unit: 'output_image', usd: '1' },
      '[0].pricing_rules[0]: differs from the price in pricing.per_image_output',
    ],
  ])('[P10] are refused with %s', (_, rule, problem) => {
    const pricing = { per_image_output: '0.04' }
    expect(problemsOf([{ ...plain, ...drawing, pricing, pricing_rules: [rule] }])).toEqual([
      expect.stringContaining(problem),
    ])
  })

  test('[P10] are refused where two with the same conditions disagree', () => {
    const pricing_rules = [
      { unit: 'second', usd: '1', size: 'a', mode: 'b' },
      { unit: 'second', usd: '2', mode: 'b', size: 'a' },
    ]
    expect(problemsOf([{ ...plain, pricing_rules }])).toEqual([
      expect.stringContaining('[0].pricing_rules[1]: another rule'),
    ])
  })
})

describe('a price of what is not words', () => {
  const words = { prompt: '0.000005', completion: '0.00004' }
  const whole = { prompt: '0.000005', image_output_token: '0.00004' }

  test('is that of the quote which has it, of equal quotes of one host', () => {
    const quotes = [words, whole].map((pricing) => ({ provider: 'other', upstream_model_id: 'x', pricing }))
    const { prices } = rowOf({ ...drawing, pricing: whole, offers: quotes })
    expect(prices.find(({ provider }) => provider === 'other')?.units).toEqual(whole)
  })

  test('is that of the default host’s offer, where the model’s own is the same with the rest left out', () => {
    const offers = [{ provider: 'acme', upstream_model_id: 'one-2026', pricing: whole }]
    expect(rowOf({ ...drawing, pricing: { prompt: '0.000005' }, offers }).prices[0]?.units).toEqual(whole)
    const other = { prompt: '0.000006' }
    expect(rowOf({ ...drawing, pricing: other, offers }).prices[0]?.units).toEqual(other)
  })
})
