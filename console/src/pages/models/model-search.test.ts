import { expect, test } from 'vitest'
import { comparedIds, parseModelSearch, searchModels } from './model-search.ts'
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
  expect(idsOf({ sort: 'cheapest' })).toEqual(['test/echo', 'acme/small', 'other/large', 'acme/new'])
})

test('models are sorted by what was asked for', () => {
  expect(idsOf({ sort: 'newest' })).toEqual(['acme/new', 'other/large', 'acme/small', 'test/echo'])
  expect(idsOf({ sort: 'context' })[0]).toBe('other/large')
})

test('a URL with nonsense filters nothing', () => {
  expect(parseModelSearch({ price: 'cheap', context: -1, available: 'maybe', sort: 'random', q: '' })).toEqual({})
})

test('at most four different models are compared', () => {
  expect(comparedIds({ compare: 'a,b,a,,c,d,e' })).toEqual(['a', 'b', 'c', 'd'])
})
