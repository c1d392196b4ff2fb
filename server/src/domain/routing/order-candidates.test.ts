import { describe, expect, it } from 'vitest'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Candidate } from './candidates.ts'
import { type Measurements, unmeasured } from './measurements.ts'
import { orderCandidates } from './order-candidates.ts'
import { parsePreferences } from './parse-preferences.ts'
import { noPreferences } from './preferences.ts'

const template = testTicket().plan.candidates[0] ?? never()
function never(): never {
  throw new Error('the test ticket has a candidate')
}

interface Host {
  prompt?: string
  quantization?: string
  keepsPrompts?: boolean
  parameters?: string[]
  model?: string
}

function host(vendor: string, special: Host = {}): Candidate {
  const {
    prompt = '0.000001',
    quantization = null,
    keepsPrompts = false,
    parameters = null,
    model = 'acme/model',
  } = special
  return {
    ...template,
    model: { ...template.model, id: model, supportedParameters: parameters },
    account: { ...template.account, id: vendor, name: vendor, vendor, keepsPrompts },
    price: { id: vendor, base: parseUnitPrices({ prompt, completion: '0.000002' }), tiers: [] },
    quantization,
  }
}

const three = [
  host('one', { prompt: '0.000003' }),
  host('two', { prompt: '0.000001' }),
  host('three', { prompt: '0.000002' }),
]

function order(found: readonly Candidate[], provider: object, measurements: Measurements = () => unmeasured) {
  const preferences = parsePreferences({ provider: { ...provider } })
  const { candidates, excluded } = orderCandidates({ found, preferences, parameters: ['tools'], measurements })
  return { order: candidates.map(({ account }) => account.vendor), rules: excluded.map(({ rule }) => rule) }
}

const priced = (vendor: string, completion: string): Candidate => ({
  ...host(vendor),
  price: { id: vendor, base: parseUnitPrices({ prompt: '0.000001', completion }), tiers: [] },
})

const piece = (vendor: string, usd: string): Candidate => ({
  ...host(vendor),
  price: { id: vendor, base: parseUnitPrices({ per_image_output: usd }), tiers: [] },
})

describe('the order of candidates', () => {
  it('is as found where nobody prefers anything', () => {
    expect(order(three, {})).toEqual({ order: ['one', 'two', 'three'], rules: [] })
  })

  it('[ROUTE-19] begins with the providers that are named', () => {
    expect(order(three, { order: ['three', 'two'] }).order).toEqual(['three', 'two', 'one'])
  })

  it('[ROUTE-20] [ROUTE-21] leaves out who is not among the only ones, and who is to be ignored', () => {
    expect(order(three, { only: ['two', 'ONE'] })).toEqual({ order: ['one', 'two'], rules: ['only'] })
    expect(order(three, { ignore: ['one'] })).toEqual({ order: ['two', 'three'], rules: ['ignore'] })
  })

  it('[ROUTE-22] is one candidate without fallbacks', () => {
    const result = order(three, { allow_fallbacks: false, order: ['two'] })
    expect(result).toEqual({ order: ['two'], rules: ['allow_fallbacks', 'allow_fallbacks'] })
  })

  it.each(['price', { by: 'price' }])('[ROUTE-23] is by price: %j', (sort) => {
    expect(order(three, { sort }).order).toEqual(['two', 'three', 'one'])
  })

  it('[ROUTE-23] is by what was measured, and who was not counts as an average one', () => {
    const latency = new Map([
      ['one', 300],
      ['two', 100],
      ['four', 500],
    ])
    const measured = ({ account }: Candidate) => {
      const median = latency.get(account.vendor)
      return median === undefined
        ? unmeasured
        : { latencyMs: { median, p95: median }, tokensPerSecond: { median, p95: median } }
    }
    const four = [...three, host('four')]
    expect(order(four, { sort: 'latency' }, measured).order).toEqual(['two', 'one', 'three', 'four'])
    expect(order(four, { sort: 'throughput' }, measured).order).toEqual(['four', 'one', 'three', 'two'])
  })

  it('keeps models in their order, unless the client sorts across them', () => {
    const found = [host('dear', { prompt: '0.00001', model: 'acme/first' }), host('cheap', { model: 'acme/second' })]
    expect(order(found, { sort: 'price' }).order).toEqual(['dear', 'cheap'])
    expect(order(found, { sort: { by: 'price', partition: 'none' } }).order).toEqual(['cheap', 'dear'])
  })

  it('[ROUTE-23] of those that cost as much as each other is as found, and the output price decides between equals', () => {
    const found = [priced('b', '0.000003'), priced('c', '0.000002'), priced('a', '0.000003'), priced('d', '0.000001')]
    expect(order(found, { sort: 'price' }).order).toEqual(['d', 'c', 'b', 'a'])
  })

  it('[ROUTE-23] counts a missing price as none', () => {
    const unpriced = { ...host('none'), price: { id: 'none', base: {}, tiers: [] } }
    expect(order([...three, unpriced], { sort: 'price' }).order).toEqual(['none', 'two', 'three', 'one'])
  })

  it('[ROUTE-23] by price compares words with words, and images with images', () => {
    const found = [piece('dear', '0.04'), piece('cheap', '0.01')]
    const sorted = (purpose: 'image' | 'text') =>
      orderCandidates({
        found,
        preferences: parsePreferences({ provider: { sort: 'price' } }),
        parameters: [],
        measurements: () => unmeasured,
        purposeOf: () => purpose,
      }).candidates.map(({ account }) => account.vendor)
    expect(sorted('image')).toEqual(['cheap', 'dear'])
    expect(sorted('text')).toEqual(['dear', 'cheap'])
  })

  it('[ROUTE-19] keeps those that are not named in their order, after those that are', () => {
    expect(order(three, { order: ['three', 'nobody'] }).order).toEqual(['three', 'one', 'two'])
    expect(order(three, { order: ['two'], sort: 'price' }).order).toEqual(['two', 'three', 'one'])
  })

  it('says who was left out and why', () => {
    const { candidates, excluded } = orderCandidates({
      found: three,
      preferences: parsePreferences({ provider: { ignore: ['one'], allow_fallbacks: false } }),
      parameters: [],
      measurements: () => unmeasured,
    })
    expect(candidates).toEqual([three[1]])
    expect(excluded).toEqual([
      { model: 'acme/model', provider: 'one', rule: 'ignore' },
      { model: 'acme/model', provider: 'three', rule: 'allow_fallbacks' },
    ])
  })

  it('[ROUTE-23] is as found where nobody was measured', () => {
    expect(order(three, { sort: 'latency' }).order).toEqual(['one', 'two', 'three'])
    expect(order(three, { sort: 'throughput' }).order).toEqual(['one', 'two', 'three'])
  })

  it('[ROUTE-24] leaves out who does not support all parameters; who lists none is not doubted', () => {
    const found = [host('without', { parameters: ['seed'] }), host('with', { parameters: ['tools'] }), host('silent')]
    expect(order(found, { require_parameters: true })).toEqual({
      order: ['with', 'silent'],
      rules: ['require_parameters'],
    })
  })

  it('[ROUTE-25] leaves out who keeps prompts, if that is denied', () => {
    const found = [host('keeper', { keepsPrompts: true }), host('other')]
    expect(order(found, { data_collection: 'deny' })).toEqual({ order: ['other'], rules: ['data_collection'] })
    expect(order(found, { data_collection: 'allow' }).order).toEqual(['keeper', 'other'])
  })

  it('[ROUTE-26] leaves out other quantizations', () => {
    const found = [host('half', { quantization: 'fp8' }), host('full', { quantization: 'bf16' }), host('unsaid')]
    expect(order(found, { quantizations: ['bf16'] }).order).toEqual(['full'])
    expect(order(found, { quantizations: ['bf16', 'unknown'] }).order).toEqual(['full', 'unsaid'])
  })

  it('[ROUTE-27] leaves out who is dearer, to the last decimal', () => {
    expect(order(three, { max_price: { prompt: 2 } }).order).toEqual(['two', 'three'])
    expect(order(three, { max_price: { prompt: 1.999999 } }).order).toEqual(['two'])
    expect(order(three, { max_price: { completion: 1 } }).order).toEqual([])
  })
})

it.each([
  { order: 'openai' },
  { only: [1] },
  { sort: 'luck' },
  { data_collection: 'maybe' },
  { max_price: { prompt: -1 } },
  { max_price: 5 },
  { allow_fallbacks: 'no' },
])('refuses preferences that mean nothing: %j', (provider) => {
  expect(() => parsePreferences({ provider })).toThrow(expect.objectContaining({ errorName: 'malformedRequest' }))
})

it('a client without preferences gets the list itself, as one with empty preferences gets its members', () => {
  const request = { found: three, parameters: [], measurements: () => unmeasured }
  const plain = orderCandidates({ ...request, preferences: noPreferences })
  expect(plain).toEqual(orderCandidates({ ...request, preferences: { ...noPreferences } }))
  expect(plain.candidates).toBe(three)
})
