import { expect, test } from 'vitest'
import { comparedIds, comparePrices, parseModelSearch, searchModels } from './model-search.ts'
import type { Model } from '../../api/models.ts'

const base: Model = {
  id: 'acme/small',
  canonical_slug: 'acme/small',
  object: 'model',
  type: 'model',
  name: 'Acme: Small',
  display_name: 'Acme: Small',
  owned_by: 'acme',
  created: 10,
  description: null,
  context_length: 32_000,
  modality: 'text->text',
  architecture: {
    modality: 'text->text',
    input_modalities: ['text'],
    output_modalities: ['text'],
    tokenizer: null,
  },
  pricing: { prompt: '0.5', completion: '1.5' },
  priced: true,
  top_provider: { context_length: 32_000, is_moderated: false },
  supported_voices: null,
  knowledge_cutoff: null,
  status: 'active',
  expiration_date: null,
  links: { details: '' },
  available: true,
}
const large: Model = {
  ...base,
  id: 'other/large',
  name: 'Large',
  created: 20,
  context_length: 1_000_000,
  pricing: { prompt: '3', completion: '15' },
  available: false,
}
const free: Model = { ...base, id: 'test/echo', name: 'Echo', created: 0, pricing: { prompt: '0', completion: '0' } }
const unpriced: Model = {
  ...base,
  id: 'acme/new',
  name: 'New',
  created: 30,
  priced: false,
  pricing: { prompt: '0', completion: '0' },
}
const models = [base, large, free, unpriced]

function idsOf(search: Record<string, unknown>): readonly string[] {
  return searchModels([...models], parseModelSearch(search)).map(({ id }) => id)
}

test('every filter of the URL narrows the list, and together they narrow it further', () => {
  expect(idsOf({ q: 'ACME sm' })).toEqual(['acme/small'])
  expect(idsOf({ author: 'other' })).toEqual(['other/large'])
  expect(idsOf({ context: 128_000 })).toEqual(['other/large'])
  expect(idsOf({ available: 'no' })).toEqual(['other/large'])
  expect(idsOf({ author: 'acme', available: 'no' })).toEqual([])
  expect(idsOf({ makes: 'image' })).toEqual([])
})

test('a model without a price is neither free nor cheap', () => {
  expect(idsOf({ price: '0' })).toEqual(['test/echo'])
  expect(idsOf({ price: '0.5' })).toEqual(['acme/small', 'test/echo'])
})

test('models that can be called come first, in the order of the catalogue', () => {
  expect(idsOf({})).toEqual(['acme/small', 'test/echo', 'acme/new', 'other/large'])
})

test('prices are compared exactly', () => {
  expect(comparePrices('0.000000000000000001', '0.000000000000000002')).toBe(-1)
  expect(comparePrices('10', '9.99')).toBe(1)
  expect(comparePrices('1.0', '1')).toBe(0)
})

test('a URL with nonsense filters nothing', () => {
  expect(parseModelSearch({ price: 'cheap', context: -1, available: 'maybe', q: '' })).toEqual({})
})

test('at most four different models are compared', () => {
  expect(comparedIds({ compare: 'a,b,a,,c,d,e' })).toEqual(['a', 'b', 'c', 'd'])
})
