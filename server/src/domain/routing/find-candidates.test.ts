import { describe, expect, it } from 'vitest'
import type { Model, Offer } from '#domain/catalogue/model.ts'
import { type PriceList, parseUnitPrices } from '#domain/money/price-list.ts'
import { testModel } from '#domain/test-models/test-models.ts'
import { assert } from '#lib/assert.ts'
import { findCandidates } from './candidates.ts'
import { emptyRoutingTable, type ProviderAccount, type Route } from './routing-table.ts'

const template = testModel('test/echo')
assert(template !== undefined, 'the echo model is built in')
const list = (completion: string): PriceList => ({
  id: completion,
  base: parseUnitPrices({ prompt: '0.000001', completion }),
  tiers: [],
})
const offer = (provider: string, change: Partial<Offer> = {}): Offer => ({
  provider,
  variant: '',
  upstreamModel: `${provider}-river`,
  contextLength: null,
  maxCompletionTokens: null,
  quantization: null,
  price: list('0.000002'),
  ...change,
})
const model: Model = {
  ...template,
  id: 'acme/river',
  author: 'acme',
  defaultProvider: null,
  upstreamModel: null,
  maxCompletionTokens: 900,
  price: list('0.000009'),
  offers: [],
}
const account = (vendor: string): ProviderAccount => ({
  id: vendor,
  name: vendor,
  vendor,
  baseUrl: null,
  credential: null,
  keepsPrompts: false,
  weight: 1,
})
const route = (pattern: string, vendor: string, upstreamModel: string | null = null, priority = 0): Route => ({
  pattern,
  account: account(vendor),
  upstreamModel,
  priority,
})
const routed = (...routes: Route[]) => ({
  ...emptyRoutingTable,
  accounts: [account('unrouted')],
  routes: new Map(Map.groupBy(routes, ({ pattern }) => pattern)),
})
const vendors = ({ ordered }: ReturnType<typeof findCandidates>) => ordered.map(({ account: { vendor } }) => vendor)

describe('routes', () => {
  it.each([
    ['the id of the model', [route('*', 'any'), route('acme/*', 'author'), route('acme/river', 'exact')], 'exact'],
    ['the wildcard of its author', [route('*', 'any'), route('acme/*', 'author'), route('acme/lake', 'x')], 'author'],
    ['the wildcard of all', [route('*', 'any'), route('other/*', 'author')], 'any'],
  ])('[ROUTE-05] [ROUTE-06] are those of the most specific pattern: %s', (_, routes, vendor) => {
    expect(vendors(findCandidates(model, routed(...routes)))).toEqual([vendor])
  })

  it('are tried in their order, each with its priority', () => {
    const found = findCandidates(model, routed(route('*', 'one', null, 3), route('*', 'two', null, 5)))
    expect(found.ordered.map(({ account: { vendor }, priority }) => [vendor, priority])).toEqual([
      ['one', 3],
      ['two', 5],
    ])
  })

  it('serve the model at the price of the offer, which says more than the model', () => {
    const special = offer('host', { maxCompletionTokens: 70, quantization: 'fp8' })
    const asked = { ...model, offers: [special] }
    expect(findCandidates(asked, routed(route('*', 'host', 'renamed', 2)))).toEqual({
      ordered: [
        {
          model: asked,
          account: account('host'),
          upstreamModel: 'renamed',
          price: list('0.000002'),
          maxCompletionTokens: 70,
          quantization: 'fp8',
          billing: 'charged',
          priority: 2,
        },
      ],
      unpriced: [],
    })
  })

  it('serve the model at its own price where their host has no offer', () => {
    expect(findCandidates(model, routed(route('*', 'host'))).ordered).toEqual([
      {
        model,
        account: account('host'),
        upstreamModel: 'river',
        price: list('0.000009'),
        maxCompletionTokens: 900,
        quantization: null,
        billing: 'charged',
        priority: 0,
      },
    ])
  })

  const bought = list('0.0000001')
  it.each([
    ['the list price', undefined, undefined, undefined],
    ['the list price, without a discount', undefined, 0, undefined],
    ['the list price with a discount', undefined, 5, { discountPpm: 5 }],
    ['a purchase price', bought, undefined, { price: bought, discountPpm: 0 }],
    ['a purchase price with a discount', bought, 5, { price: bought, discountPpm: 5 }],
  ])('say what the operator pays: %s', (_, purchase, discountPpm, expected) => {
    const sold = offer('host', purchase === undefined ? {} : { purchase })
    const asked = { ...model, offers: [sold] }
    const place = { ...account('host'), ...(discountPpm === undefined ? {} : { discountPpm }) }
    const byRoute = findCandidates(asked, routed({ ...route('*', 'host'), account: place }))
    const byOffer = findCandidates(asked, { ...emptyRoutingTable, accounts: [place] })
    expect([byRoute, byOffer].map(({ ordered }) => ordered[0]?.purchase)).toEqual([expected, expected])
  })

  it.each<[string, string | null, Partial<Model>, string]>([
    ['the route', 'by-route', { offers: [offer('host')], upstreamModel: 'by-model' }, 'by-route'],
    ['else of the offer', null, { offers: [offer('host')], upstreamModel: 'by-model' }, 'host-river'],
    ['else of the model', null, { upstreamModel: 'by-model' }, 'by-model'],
    ['else without its author', null, { id: 'acme/river/2' }, 'river/2'],
  ])('name the model by the word of %s', (_, upstreamModel, change, name) => {
    const found = findCandidates({ ...model, ...change }, routed(route('*', 'host', upstreamModel)))
    expect(found.ordered[0]?.upstreamModel).toBe(name)
  })

  it('[P10] to hosts that cannot be charged are none', () => {
    const found = findCandidates({ ...model, price: null }, routed(route('*', 'host')))
    expect(found).toEqual({ ordered: [], unpriced: ['host'] })
  })

  it('of a free entry are not charged', () => {
    const free = { ...model, id: 'acme/river:free' }
    expect(findCandidates(free, routed(route('*', 'host'))).ordered[0]?.billing).toBe('free')
  })
})

describe('without routes', () => {
  const accounts = ['dear', 'cheap', 'own', 'stranger', 'alike'].map(account)
  const table = { ...emptyRoutingTable, accounts }
  const sold: Model = {
    ...model,
    defaultProvider: 'own',
    offers: [
      offer('dear', { price: list('0.000008') }),
      offer('cheap', { price: list('0.000001') }),
      offer('alike', { price: list('0.000008') }),
    ],
  }

  it('[ROUTE-07] the provider of the listing comes first, then whoever sells the model, by price', () => {
    expect(vendors(findCandidates(sold, table))).toEqual(['own', 'cheap', 'dear', 'alike'])
  })

  it('a host without a price is told apart', () => {
    const offers = [offer('cheap'), offer('dear', { price: null }), offer('alike', { price: null })]
    const found = findCandidates({ ...model, price: null, offers }, table)
    expect(found.unpriced).toEqual(['dear', 'alike'])
    expect(vendors(found)).toEqual(['cheap'])
  })

  it('a candidate has what its offer says, and no priority', () => {
    const offers = [offer('cheap', { maxCompletionTokens: 70, quantization: 'fp8' })]
    const asked = { ...model, upstreamModel: 'by-model', offers }
    expect(findCandidates(asked, table).ordered).toStrictEqual([
      {
        model: asked,
        account: account('cheap'),
        upstreamModel: 'cheap-river',
        price: list('0.000002'),
        maxCompletionTokens: 70,
        quantization: 'fp8',
        billing: 'charged',
      },
    ])
  })

  it.each([
    ['by-model', 'by-model'],
    [null, 'river'],
  ])('the provider of the listing needs no offer; it knows the model as %s, or else as %s', (upstreamModel, name) => {
    const found = findCandidates({ ...model, defaultProvider: 'own', upstreamModel }, table)
    expect(found.ordered).toMatchObject([
      {
        account: account('own'),
        upstreamModel: name,
        price: list('0.000009'),
        maxCompletionTokens: 900,
        quantization: null,
      },
    ])
  })
})

const apisOf = (offers: Offer[], ...accounts: ProviderAccount[]) =>
  findCandidates({ ...model, offers }, { ...emptyRoutingTable, accounts }).ordered.map(({ api }) => api)

describe('the interface that a host is asked through', () => {
  it('is the one that sells the model, whatever the operator prefers', () => {
    expect(apisOf([offer('one', { api: 'responses' })], account('one'))).toEqual(['responses'])
    expect(apisOf([offer('one')], account('one'))).toEqual([undefined])
  })

  it('is else the one that the operator prefers', () => {
    expect(apisOf([offer('one')], { ...account('one'), api: 'responses' })).toEqual(['responses'])
  })

  it('is so on a route, too', () => {
    const sold = { ...model, offers: [offer('one', { api: 'responses' })] }
    expect(findCandidates(sold, routed(route('*', 'one', 'my-deployment'))).ordered).toMatchObject([
      { upstreamModel: 'my-deployment', api: 'responses' },
    ])
    const preferred = { ...route('*', 'one'), account: { ...account('one'), api: 'responses' as const } }
    expect(findCandidates(model, routed(preferred)).ordered).toMatchObject([{ api: 'responses' }])
  })
})
