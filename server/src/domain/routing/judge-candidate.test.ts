import { describe, expect, it } from 'vitest'
import { type PricedKind, type PriceList, parsePriceRules, parseUnitPrices } from '#domain/money/price-list.ts'
import { testModel } from '#domain/test-models/test-models.ts'
import { assert } from '#lib/assert.ts'
import type { Candidate } from './candidates.ts'
import { exclusionRules } from './explanation.ts'
import { judgeCandidate } from './judge-candidate.ts'
import { noPreferences, type Preferences } from './preferences.ts'

const template = testModel('test/echo')
assert(template !== undefined, 'the echo model is built in')
const model = { ...template, supportedParameters: ['tools', 'seed'] }
const list = (units: Record<string, string>): PriceList => ({ id: 'p', base: parseUnitPrices(units), tiers: [] })
const candidate: Candidate = {
  model,
  account: { id: 'a', name: 'a', vendor: 'acme', baseUrl: null, credential: null, keepsPrompts: true, weight: 1 },
  upstreamModel: 'echo',
  price: list({ prompt: '0.000002', completion: '0.000004' }),
  maxCompletionTokens: null,
  quantization: 'FP8',
  billing: 'charged',
}
const judge = (
  preferences: Partial<Preferences>,
  change: Partial<Candidate> = {},
  parameters: string[] = [],
  purpose: PricedKind = 'text',
) => judgeCandidate({ ...candidate, ...change }, { ...noPreferences, ...preferences }, { parameters, purpose })
const most = (units: Record<string, string>): Partial<Preferences> => ({ maxPrice: parseUnitPrices(units) })

describe('what speaks against a candidate', () => {
  it.each<[string, Partial<Preferences>, string | null]>([
    ['nothing without preferences', {}, null],
    ['that it is not among the only ones', { only: ['other'] }, 'only'],
    ['nothing where it is', { only: ['other', 'acme'] }, null],
    ['that nobody is among the only ones', { only: [] }, 'only'],
    ['that it is to be ignored', { ignore: ['acme'] }, 'ignore'],
    ['nothing where others are', { ignore: ['other'] }, null],
    ['that it keeps prompts', { dataCollection: 'deny' }, 'data_collection'],
    ['nothing where it may', { dataCollection: 'allow' }, null],
    ['another quantization', { quantizations: ['bf16'] }, 'quantizations'],
    ['nothing where the quantization is the same in other letters', { quantizations: ['fp8'] }, null],
    ['its price', most({ prompt: '0.000001' }), 'max_price'],
    ['nothing where it costs as much as it may', most({ prompt: '0.000002', completion: '0.000004' }), null],
    ['the price of its output alone', most({ prompt: '0.000002', completion: '0.000003' }), 'max_price'],
    ['nothing by the price of what it does not sell', most({ per_character: '0' }), null],
    ['nothing where no price is limited', { maxPrice: {} }, null],
  ])('[ROUTE-20] [ROUTE-21] [ROUTE-25] [ROUTE-26] [ROUTE-27] is %s', (_, preferences, rule) => {
    expect(judge(preferences)).toBe(rule)
  })

  it('is nothing of prompts where it keeps none', () => {
    expect(judge({ dataCollection: 'deny' }, { account: { ...candidate.account, keepsPrompts: false } })).toBeNull()
  })

  it('is its quantization where it states none, unless an unknown one will do', () => {
    expect(judge({ quantizations: ['fp8'] }, { quantization: null })).toBe('quantizations')
    expect(judge({ quantizations: ['unknown'] }, { quantization: null })).toBeNull()
  })

  it.each<[string, string[] | null, string[], string | null]>([
    ['nothing where it supports all of them', ['tools', 'seed'], ['seed', 'tools'], null],
    ['one that it does not support', ['tools', 'seed'], ['tools', 'top_k'], 'require_parameters'],
    ['nothing where none is asked for', ['tools'], [], null],
    ['nothing where the catalogue is silent', null, ['tools'], null],
    ['nothing where the catalogue lists none', [], ['tools'], null],
  ])('[ROUTE-24] of parameters is %s', (_, supportedParameters, parameters, rule) => {
    expect(judge({ requireParameters: true }, { model: { ...model, supportedParameters } }, parameters)).toBe(rule)
    expect(judge({ requireParameters: false }, { model: { ...model, supportedParameters } }, parameters)).toBeNull()
  })

  it('is the price of its dearest variant', () => {
    const rules = parsePriceRules([{ unit: 'per_image_output', usd: '0.09', when: { quality: 'high' } }])
    const price = { ...list({ per_image_output: '0.04' }), ...rules }
    expect(judge(most({ per_image_output: '0.05' }), { price }, [], 'image')).toBe('max_price')
    expect(judge(most({ per_image_output: '0.09' }), { price }, [], 'image')).toBeNull()
  })

  it('[ROUTE-27] is the price of a usual image, where images are priced by their tokens', () => {
    // 1,290 tokens at 0.00001 USD are 0.0129 USD.
    const price = list({ image_output_token: '0.00001' })
    expect(judge(most({ per_image_output: '0.0129' }), { price }, [], 'image')).toBeNull()
    expect(judge(most({ per_image_output: '0.012899999999999999' }), { price }, [], 'image')).toBe('max_price')
    expect(judge(most({ per_image_output: '0' }), { price }, [], 'text')).toBeNull()
    expect(judge(most({ per_character: '0' }), { price }, [], 'image')).toBeNull()
  })
})

it('each reason has one name, which explanations show', () => {
  expect(exclusionRules).toEqual([
    'retired',
    'not_allowed',
    'unfit',
    'no_price',
    'only',
    'ignore',
    'require_parameters',
    'data_collection',
    'quantizations',
    'max_price',
    'max_cost',
    'allow_fallbacks',
    'circuit_open',
    'throttled',
    'strict_key',
    'free_quota',
    'no_credit',
  ])
})
