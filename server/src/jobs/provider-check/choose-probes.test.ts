import { describe, expect, it } from 'vitest'
import type { Model } from '#domain/catalogue/model.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import { emptyRoutingTable, type ProviderAccount } from '#domain/routing/routing-table.ts'
import { testModel } from '#domain/test-models/test-models.ts'
import { assert } from '#lib/assert.ts'
import { chooseProbes, type ProbeWish } from './choose-probes.ts'

const template = testModel('test/echo')
assert(template !== undefined, 'the echo model is built in')

const account: ProviderAccount = {
  id: 'one',
  name: 'one',
  vendor: 'openai',
  baseUrl: null,
  credential: null,
  keepsPrompts: false,
  weight: 1,
}
const table = { ...emptyRoutingTable, accounts: [account] }

function model(id: string, units: Record<string, string>, change: Partial<Model> = {}): Model {
  const price = { id, base: parseUnitPrices(units), tiers: [] }
  const upstreamModel = id.split('/')[1] ?? id
  return {
    ...template,
    id,
    author: 'acme',
    defaultProvider: 'openai',
    upstreamModel,
    price,
    offers: [],
    ...change,
  } as Model
}

const dear = model(
  'acme/dear',
  { prompt: '0.00001', completion: '0.00001' },
  { supportedParameters: ['tools', 'reasoning'] },
)
const cheap = model(
  'acme/cheap',
  { prompt: '0.000001', completion: '0.000001' },
  { supportedParameters: ['temperature'] },
)
const elsewhere = model('acme/elsewhere', { prompt: '0', completion: '0' }, { defaultProvider: 'groq' })
const film = model('acme/film', { per_second_output: '0.1' }, { kind: 'video' })
const live = model('acme/live', { prompt: '0.000001' }, { kind: 'realtime' })

const choose = (wish: Partial<ProbeWish> = {}) =>
  chooseProbes([dear, cheap, elsewhere, film, live], table, { account, model: null, capabilities: [], ...wish }).map(
    ({ capability, candidate }) => [capability, candidate.model.id],
  )

/** The probes of an offer that its prices cause. */
const pricedProbes = (offered: Model, vendor = 'openai') => {
  const seller = { ...account, vendor }
  const wish = { account: seller, model: null, capabilities: ['cache', 'flex', 'priority', 'search'] } as const
  const offer = { ...offered, defaultProvider: vendor }
  return chooseProbes([offer], { ...table, accounts: [seller] }, wish).map(({ capability }) => capability)
}

describe('a check of a provider', () => {
  it('asks the cheapest model that suits for everything but what is dear', () => {
    expect(choose()).toEqual([
      ['document', 'acme/cheap'],
      ['stream', 'acme/cheap'],
      ['tools', 'acme/dear'],
      ['sampling', 'acme/cheap'],
      ['thinking', 'acme/dear'],
      ['thoughts', 'acme/dear'],
    ])
  })

  it('asks for what has a price of its own', () => {
    const tokens = { prompt: '0.000001', completion: '0.000001' }
    const flex = { flex_prompt: '0.0000005', flex_completion: '0.0000005' }
    const priority = { priority_prompt: '0.000002', priority_completion: '0.000002' }
    const openai = { author: 'openai' } as const
    expect(pricedProbes(model('openai/plain', tokens, openai))).toEqual([])
    expect(pricedProbes(model('openai/kept', { ...tokens, cache_read: '0' }, openai))).toEqual(['cache'])
    expect(pricedProbes(model('openai/tiers', { ...tokens, ...flex, ...priority }, openai))).toEqual([
      'flex',
      'priority',
    ])
    // Only OpenAI models receive a tier by this name, and Claude has one tier besides the standard one.
    expect(pricedProbes(model('acme/tiers', { ...tokens, ...flex, ...priority }))).toEqual([])
    const claude = model('anthropic/fast', { ...tokens, ...flex, ...priority }, { author: 'anthropic' })
    expect(pricedProbes(claude, 'anthropic')).toEqual(['priority'])
    // A search needs a price and a provider that searches.
    const finder = model('acme/finder', { ...tokens, web_search: '0.01' })
    expect(pricedProbes(finder, 'openrouter')).toEqual(['search'])
    expect(pricedProbes(finder, 'deepseek')).toEqual([])
    expect(pricedProbes(model('acme/plain', tokens), 'openrouter')).toEqual([])
  })

  it('asks for a video only by name', () => {
    expect(choose({ capabilities: ['video', 'document'] })).toEqual([
      ['document', 'acme/cheap'],
      ['video', 'acme/film'],
    ])
  })

  it('keeps to one model, by our name or that of the provider', () => {
    for (const name of ['acme/dear', 'dear']) {
      expect(choose({ model: name, capabilities: ['document', 'sampling'] })).toEqual([['document', 'acme/dear']])
    }
  })

  it('asks another account for nothing, nor a vendor for what it does not make', () => {
    expect(choose({ account: { ...account, id: 'two' } })).toEqual([])
    expect(choose({ account: { ...account, vendor: 'anthropic' }, capabilities: ['video'] })).toEqual([])
  })
})
