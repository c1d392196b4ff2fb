import { describe, expect, it } from 'vitest'
import { parseUnitPrice } from '#domain/money/unit-price.ts'
import type { JsonValue } from '#lib/json.ts'
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
    { max_price: { completion: {} } },
    { max_price: { completion: '9'.repeat(310) } },
    { max_price: { request: '9'.repeat(310) } },
  ])('[ROUTE-19] %j can not be understood', (provider) => {
    expect(() => parsed(provider)).toThrow(expect.objectContaining({ errorName: 'malformedRequest' }))
  })
})
