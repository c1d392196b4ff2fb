import { describe, expect, test } from 'vitest'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import { disputedPricesOf } from '#domain/catalogue/disputed-price.ts'
import type { JsonObject } from '#lib/json.ts'
import { parseCatalogueFile } from '../parse-catalogue-file.ts'
import { type Change, diffCatalogue } from './diff-catalogue.ts'
import type { ListedOffer, Listing } from './listing.ts'
import { type Merged, mergeListings } from './merge-listings.ts'

const record: JsonObject = {
  id: 'openai/one',
  kind: 'chat',
  provider: 'openai',
  upstream_model_id: 'one-2026',
  context_length: 8192,
  input_modalities: ['text'],
  output_modalities: ['text'],
  pricing: { prompt: '0.000001', completion: '0.000002', web_search: '0.01' },
  pricing_tiers: [{ above_prompt_tokens: 4000, prompt: '0.000002', completion: '0.000004' }],
  offers: [
    {
      provider: 'azure',
      region: 'eu',
      upstream_model_id: 'One-2026',
      pricing: { prompt: '0.000003', completion: '0.000004' },
    },
  ],
}

const silent: ListedOffer = {
  provider: 'openai',
  variant: '',
  upstreamModel: 'one-2026',
  name: null,
  kind: 'chat',
  inputModalities: null,
  outputModalities: null,
  contextLength: null,
  maxCompletionTokens: null,
  price: null,
  releaseDate: null,
  retiresOn: null,
}

function rowsOf(...changes: JsonObject[]): readonly CatalogueRow[] {
  const parsed = parseCatalogueFile(changes.map((change) => ({ ...record, ...change })))
  if (!parsed.accepted) throw new Error(JSON.stringify(parsed))
  return parsed.rows
}

function listing(source: string, ...offers: Partial<ListedOffer>[]): Listing {
  return { source, offers: offers.map((offer) => ({ ...silent, ...offer })) }
}

function price(prompt: string, completion: string): Pick<ListedOffer, 'price'> {
  return { price: { units: { prompt, completion }, tiers: [] } }
}

function changes(current: readonly CatalogueRow[], ...listings: Listing[]): { changes: Change[]; merged: Merged } {
  const merged = mergeListings(current, listings, (slug) => slug !== 'stranger')
  return { changes: diffCatalogue(current, merged.rows), merged }
}

describe('what sources agree on', () => {
  test('changes prices, limits and the date of retirement, and leaves the units and tiers that no source states', () => {
    const found = changes(
      rowsOf({}),
      listing('a', { ...price('0.0000015', '0.000002'), contextLength: 16_384 }),
      listing('b', { ...price('0.0000015', '0.000002'), retiresOn: '2027-06-30' }),
    )
    expect(found.changes).toEqual([
      { model: 'openai/one', what: 'price', where: 'openai prompt', from: '0.000001', to: '0.0000015' },
      { model: 'openai/one', what: 'limit', where: 'context length', from: '8192', to: '16384' },
      { model: 'openai/one', what: 'limit', where: 'openai context length', from: '8192', to: '16384' },
      { model: 'openai/one', what: 'retirement', where: 'retires on', from: null, to: '2027-06-30' },
    ])
    expect(found.merged.disagreements).toEqual([])
    expect(found.merged.rows[0]?.prices[0]).toMatchObject({ units: { web_search: '0.01' }, tiers: [{}] })
  })

  test('is found by provider, variant and the name there, without regard to capitals', () => {
    const found = changes(
      rowsOf({}),
      listing('a', { provider: 'azure', variant: 'eu', ...price('0.000004', '0.000004') }),
    )
    expect(found.changes.map(({ where }) => where)).toEqual(['azure/eu prompt'])
    const elsewhere = changes(rowsOf({}), listing('a', { provider: 'azure', ...price('0.000004', '0.000004') }))
    expect(elsewhere.changes).toEqual([])
    expect(elsewhere.merged.unmatched).toBe(1)
  })

  test('changes nothing where it is what the catalogue has', () => {
    const { changes: none } = changes(
      rowsOf({}),
      listing('a', { ...price('0.000001', '0.000002'), contextLength: 8192 }),
    )
    expect(none).toEqual([])
  })
})

describe('what sources do not agree on', () => {
  test('stays as it is, and is told', () => {
    const found = changes(
      rowsOf({}),
      listing('a', { ...price('0.000005', '0.000002'), maxCompletionTokens: 100 }),
      listing('b', { ...price('0.000006', '0.000002'), maxCompletionTokens: 200 }),
    )
    expect(found.changes).toEqual([])
    expect(found.merged.disagreements.map(({ what, said }) => [what, said.map(({ source }) => source)])).toEqual([
      ['max output tokens', ['a', 'b']],
      ['price', ['a', 'b']],
    ])
  })

  test('leaves a new model without a price, with what each source says', () => {
    const listed = { upstreamModel: 'two' }
    const found = changes(
      rowsOf({}),
      listing('a', { ...listed, ...price('0.000005', '0.000002') }),
      listing('b', { ...listed, ...price('0.000006', '0.000002') }),
    )
    const [fresh] = found.merged.rows
    expect(fresh).toMatchObject({ id: 'openai/two', prices: [] })
    expect(disputedPricesOf(fresh?.details ?? {}).map(({ quotes }) => quotes.length)).toEqual([2])
  })
})

test('a price that was disputed is settled by what sources now agree on, and the change says so', () => {
  const quotes = [
    { source: 'a', pricing: { prompt: '0.000001' } },
    { source: 'b', pricing: { prompt: '0.000002' } },
  ]
  const current = rowsOf({ pricing: null, pricing_tiers: null, disputed_prices: [{ provider: 'openai', quotes }] })
  const found = changes(current, listing('a', price('0.000001', '0.000002')))
  expect(found.changes.filter(({ what }) => what === 'price')).toEqual([
    { model: 'openai/one', what: 'price', where: 'openai prompt', from: null, to: '0.000001', wasDisputed: true },
    { model: 'openai/one', what: 'price', where: 'openai completion', from: null, to: '0.000002', wasDisputed: true },
  ])
  expect(disputedPricesOf(found.merged.rows[0]?.details ?? {})).toEqual([])
})

describe('a new model', () => {
  const fresh = { upstreamModel: 'Two-2026', ...price('0.000001', '0.000002') }

  test('is taken of a provider that sells its own models alone', () => {
    const { merged } = changes(rowsOf({}), listing('a', { ...fresh, provider: 'mistral', name: 'Two' }))
    expect(merged.rows).toMatchObject([
      { id: 'mistralai/two-2026', name: 'Two', defaultProvider: 'mistral', upstreamModel: 'Two-2026', listed: true },
    ])
  })

  test.each<[string, Partial<ListedOffer>]>([
    ['of a provider of models of others', { provider: 'together' }],
    ['of a provider that is not known', { provider: 'stranger' }],
    ['of no stated kind', { kind: null }],
    ['without a price', { price: null }],
    ['of a region', { variant: 'eu' }],
    ['whose id is taken', { upstreamModel: 'one' }],
  ])('is not taken %s', (_, offer) => {
    expect(changes(rowsOf({}), listing('a', { ...fresh, ...offer })).merged.rows).toEqual([])
  })
})

describe('the diff of two catalogues', () => {
  test('tells new models with their sellers, and what a file takes away', () => {
    const before = rowsOf({})
    const after = rowsOf(
      { offers: [], name: 'Other', knowledge_cutoff: '2026' },
      { id: 'openai/two', upstream_model_id: 'two' },
    )
    expect(diffCatalogue(before, after)).toEqual([
      { model: 'openai/one', what: 'offer', where: 'azure/eu', from: 'One-2026', to: null },
      { model: 'openai/one', what: 'price', where: 'azure/eu prompt', from: '0.000003', to: null },
      { model: 'openai/one', what: 'price', where: 'azure/eu completion', from: '0.000004', to: null },
      { model: 'openai/one', what: 'field', where: 'name', from: '"openai/one"', to: '"Other"' },
      { model: 'openai/one', what: 'field', where: 'details', from: '{}', to: '{"knowledge_cutoff":"2026"}' },
      { model: 'openai/two', what: 'model', where: 'chat', from: null, to: 'openai, azure/eu' },
      ...['openai prompt', 'openai completion', 'openai web_search'].map((where) => expect.objectContaining({ where })),
      ...['web_search', 'prompt', 'completion'].map((unit) =>
        expect.objectContaining({ where: `openai ${unit} above 4000` }),
      ),
      ...['azure/eu prompt', 'azure/eu completion'].map((where) => expect.objectContaining({ where })),
    ])
  })
})

describe('V8: a price that the provider itself states', () => {
  const half = {
    id: 'openai/gpt-5.5',
    upstream_model_id: 'gpt-5.5',
    pricing: { prompt: '0.000005', completion: '0.00003' },
    pricing_tiers: null,
    offers: null,
  }
  const stated = { prompt: '0.000005', completion: '0.00003' }
  const copied = { units: { ...stated, priority_prompt: '0.00001', priority_completion: '0.00006' }, tiers: [] }

  test('outranks sources that agree on another, and what they say is listed', () => {
    const { merged } = changes(rowsOf(half), listing('litellm', { upstreamModel: 'gpt-5.5', price: copied }))
    expect(merged.rows[0]?.prices[0]?.units).toEqual({
      ...stated,
      priority_prompt: '0.0000125',
      priority_completion: '0.000075',
    })
    const page = 'https://openai.com/api-priority-processing/ (2026-11-17)'
    expect(merged.disagreements).toMatchObject([
      {
        model: 'openai/gpt-5.5',
        what: 'price',
        said: [{ source: 'litellm' }, { source: page, value: expect.stringContaining('0.000075') }],
      },
    ])
  })

  test('leaves the units that it does not state to the sources, also where those do not agree', () => {
    const dearer = { units: { ...copied.units, prompt: '0.000006' }, tiers: [] }
    const { merged, changes: found } = changes(
      rowsOf(half),
      listing('litellm', { upstreamModel: 'gpt-5.5', price: copied }),
      listing('models.dev', { upstreamModel: 'gpt-5.5', price: dearer }),
    )
    expect(found).toEqual([])
    expect(merged.disagreements.map(({ what }) => what)).toEqual(['price', 'price'])
  })

  test('keeps the prices by the clock of DeepSeek, of which a source has the lower one', () => {
    const peak = { prompt: '0.00000132', completion: '0.00000396', cache_read: '0.000000044' }
    const offPeak = { units: { prompt: '0.00000066', completion: '0.00000198', cache_read: '0.000000022' }, tiers: [] }
    const current = rowsOf({
      id: 'deepseek/deepseek-v4-pro',
      provider: 'deepseek',
      upstream_model_id: 'deepseek-v4-pro',
      pricing: peak,
      pricing_tiers: null,
      offers: null,
    })
    const listed = { provider: 'deepseek', upstreamModel: 'deepseek-v4-pro', price: offPeak }
    const [kept] = changes(current, listing('litellm', listed)).merged.rows[0]?.prices ?? []
    expect(kept?.units).toEqual(peak)
    expect(kept?.rules?.map(({ usd }) => usd)).toEqual(['0.00000066', '0.00000198', '0.000000022'])
  })

  test('says nothing of a region or of another provider', () => {
    const region = { provider: 'azure', region: 'eu', upstream_model_id: 'gpt-5.5', pricing: stated }
    const listed = { provider: 'azure', variant: 'eu', upstreamModel: 'gpt-5.5', price: copied }
    const { merged } = changes(rowsOf({ ...half, offers: [region] }), listing('litellm', listed))
    expect(merged.disagreements).toEqual([])
    expect(merged.rows[0]?.prices.find(({ provider }) => provider === 'azure')?.units).toEqual(copied.units)
  })
})
