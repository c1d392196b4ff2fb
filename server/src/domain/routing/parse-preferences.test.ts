import { describe, expect, it } from 'vitest'
import { parseUnitPrice } from '#domain/money/unit-price.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'
import { parsePreferences } from './parse-preferences.ts'
import { noPreferences, type Preferences } from './preferences.ts'

const parsed = (provider: JsonValue): Preferences => parsePreferences({ provider })

describe('preferences', () => {
  it.each([{}, { provider: null }, { provider: {} }])('%j decide nothing', (body) => {
    expect(parsePreferences(body)).toEqual(noPreferences)
  })

  it('fields that are null decide nothing either', () => {
    const fields = ['order', 'only', 'ignore', 'allow_fallbacks', 'sort', 'require_parameters', 'data_collection']
    const provider = Object.fromEntries([...fields, 'quantizations', 'max_price'].map((name) => [name, null]))
    expect(parsed(provider)).toEqual(noPreferences)
  })

  it('[ROUTE-19] [ROUTE-20] [ROUTE-21] [ROUTE-26] lists are read without regard to case', () => {
    const provider = { order: ['OpenAI'], only: ['Groq'], ignore: ['Azure'], quantizations: ['FP8'] }
    expect(parsed(provider)).toMatchObject({
      order: ['openai'],
      only: ['groq'],
      ignore: ['azure'],
      quantizations: ['fp8'],
    })
  })

  it('[ROUTE-20] an empty list of only ones leaves nobody', () => {
    expect(parsed({ only: [] }).only).toEqual([])
  })

  it.each([
    ['price', { sort: 'price', sortsAcrossModels: false }],
    [{ by: 'latency' }, { sort: 'latency', sortsAcrossModels: false }],
    [
      { by: 'throughput', partition: 'model' },
      { sort: 'throughput', sortsAcrossModels: false },
    ],
    [
      { by: 'price', partition: 'none' },
      { sort: 'price', sortsAcrossModels: true },
    ],
  ])('[ROUTE-23] sort %j', (sort, read) => {
    expect(parsed({ sort })).toMatchObject(read)
  })

  it('[ROUTE-27] prices are read exactly: USD for a million tokens, or for one of anything else', () => {
    expect(parsed({ max_price: { prompt: 0.1, completion: '2.5', request: 0.01, image: 1 } }).maxPrice).toEqual({
      prompt: parseUnitPrice('0.0000001'),
      completion: parseUnitPrice('0.0000025'),
      per_request: parseUnitPrice('0.01'),
      per_image_output: parseUnitPrice('1'),
    })
    expect(parsed({ max_price: { prompt: 1e-7, audio: 3, constructor: 1, completion: null } }).maxPrice).toEqual({
      prompt: parseUnitPrice('0.0000000000001'),
    })
    expect(parsed({ max_price: { prompt: 1234567 } }).maxPrice).toEqual({ prompt: parseUnitPrice('1.234567') })
    expect(parsed({ max_price: { prompt: `0.${'3'.repeat(40)}` } }).maxPrice).toEqual({
      prompt: parseUnitPrice('0.000000333333333333'),
    })
  })

  it('fields that are set are all read', () => {
    const provider = {
      allow_fallbacks: false,
      require_parameters: true,
      data_collection: 'deny',
      sort: 'throughput',
      max_price: {},
    }
    expect(parsed(provider)).toEqual({
      order: [],
      only: null,
      ignore: [],
      allowFallbacks: false,
      sort: 'throughput',
      sortsAcrossModels: false,
      requireParameters: true,
      dataCollection: 'deny',
      quantizations: null,
      maxPrice: {},
    })
    expect(parsed({ data_collection: 'allow', allow_fallbacks: true, require_parameters: false })).toEqual(
      noPreferences,
    )
  })

  it('decide nothing where they are absent: everybody may serve, in any order, at any price', () => {
    expect(noPreferences).toEqual({
      order: [],
      only: null,
      ignore: [],
      allowFallbacks: true,
      sort: null,
      sortsAcrossModels: false,
      requireParameters: false,
      dataCollection: 'allow',
      quantizations: null,
      maxPrice: null,
    })
  })

  it.each<[JsonObject, Record<string, bigint>]>([
    [{ prompt: 1 }, { prompt: 1_000_000_000_000n }],
    [{ completion: '12.5' }, { completion: 12_500_000_000_000n }],
    [{ prompt: 0 }, { prompt: 0n }],
    [{ prompt: '0.0000000000019' }, { prompt: 1n }],
    [{ completion: '1000000' }, { completion: 1_000_000_000_000_000_000n }],
    [{ request: '0.0000000000000000019' }, { per_request: 1n }],
    [{ image: 0.04 }, { per_image_output: 40_000_000_000_000_000n }],
    [{ character: 1e-7 }, { per_character: 100_000_000_000n }],
    [{ second: 2 }, { per_second_input: 2_000_000_000_000_000_000n }],
    [{ image: null, second: 1, seconds: 1 }, { per_second_input: 1_000_000_000_000_000_000n }],
  ])('[ROUTE-27] the price limit %j is cut to the finest price there is, never rounded up', (maxPrice, units) => {
    expect(parsed({ max_price: maxPrice }).maxPrice).toEqual(units)
  })

  it.each<[JsonValue, object]>([
    [50, { hedgeAfter: 50 }],
    [60_000, { hedgeAfter: 60_000 }],
    ['auto', { hedgeAfter: 'auto' }],
  ])('[NEXT-109] a second provider is asked for after %j', (after, expected) => {
    expect(parsed({ hedge_after_ms: after })).toMatchObject(expected)
  })

  it.each([undefined, null])('[NEXT-109] no second provider is asked for with %j', (after) => {
    expect(parsed({ hedge_after_ms: after })).not.toHaveProperty('hedgeAfter')
  })

  it.each<[JsonValue, string]>([
    ['groq', '`provider` must be an object.'],
    [{ order: 'groq' }, '`provider.order` must be an array of strings.'],
    [{ only: ['a', 1] }, '`provider.only` must be an array of strings.'],
    [{ ignore: {} }, '`provider.ignore` must be an array of strings.'],
    [{ quantizations: 'fp8' }, '`provider.quantizations` must be an array of strings.'],
    [{ allow_fallbacks: 'no' }, '`provider.allow_fallbacks` must be true or false.'],
    [{ require_parameters: 1 }, '`provider.require_parameters` must be true or false.'],
    [{ sort: 'luck' }, '`provider.sort` must be one of price, latency, throughput.'],
    [{ data_collection: true }, '`provider.data_collection` must be "allow" or "deny".'],
    [{ max_price: [] }, '`provider.max_price` must be an object.'],
    [{ max_price: { image: '1e3' } }, '`provider.max_price.image` must be a non-negative number.'],
    [{ max_price: { image: ' 1' } }, '`provider.max_price.image` must be a non-negative number.'],
    [{ max_price: { image: '1 ' } }, '`provider.max_price.image` must be a non-negative number.'],
    [{ max_price: { image: '1.' } }, '`provider.max_price.image` must be a non-negative number.'],
    [{ hedge_after_ms: 49 }, '`provider.hedge_after_ms` must be an integer from 50 to 60000, or "auto".'],
  ])('%j is refused with a word about the field', (provider, message) => {
    expect(() => parsed(provider)).toThrow(message)
  })

  it.each<JsonValue>([
    'groq',
    [],
    { order: 'groq' },
    { only: [1] },
    { ignore: {} },
    { quantizations: 'fp8' },
    { allow_fallbacks: 'false' },
    { require_parameters: 1 },
    { sort: 'luck' },
    { sort: { partition: 'none' } },
    { data_collection: 'never' },
    { max_price: 1 },
    { max_price: { prompt: -1 } },
    { max_price: { prompt: 'cheap' } },
    { max_price: { prompt: ['5'] } },
    { max_price: { completion: {} } },
    { max_price: { completion: '9'.repeat(310) } },
    { max_price: { request: '9'.repeat(310) } },
    { hedge_after_ms: 60_001 },
    { hedge_after_ms: 50.5 },
    { hedge_after_ms: '100' },
    { hedge_after_ms: true },
  ])('[ROUTE-19] %j cannot be understood', (provider) => {
    expect(() => parsed(provider)).toThrow(expect.objectContaining({ errorName: 'malformedRequest' }))
  })
})
