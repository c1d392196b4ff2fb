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

describe('a catalogue file is refused as a whole', () => {
  test.each<[string, JsonObject, string]>([
    ['an id without an author', { id: 'one' }, '[1].id'],
    ['an id in capitals', { id: 'acme/Two' }, '[1].id'],
    ['the built-in author', { id: 'test/two' }, '[1].id'],
    ['an author that is not the id’s', { author: 'other' }, '[1].author'],
    ['an unknown kind', { kind: 'poem' }, '[1].kind'],
    ['an unknown status', { status: 'resting' }, '[1].status'],
    ['an unknown input', { input_modalities: ['smell'] }, '[1].input_modalities'],
    ['an unknown output', { output_modalities: ['text', 'smell'] }, '[1].output_modalities'],
    ['no output', { output_modalities: [] }, '[1].output_modalities'],
    ['a fractional context', { context_length: 1.5 }, '[1].context_length'],
    ['no such date', { deprecation_date: '2026-02-30' }, '[1].deprecation_date'],
    ['an offer that is no object', { offers: ['acme'] }, '[1].offers[0]'],
    ['a purchase that is no object', { purchase: 'half' }, '[1].purchase'],
    ['a purchase without a price', { purchase: { pricing: {} } }, '[1].purchase.pricing'],
    ['an offer without a provider', { offers: [{ pricing: {} }] }, '[1].offers[0].provider'],
  ])('for %s', (_, changes, path) => {
    const problems = problemsOf([plain, { ...plain, id: 'acme/two', ...changes }])
    expect(problems).toEqual([expect.stringContaining(`${path}: `)])
  })

  test.each<[string, JsonObject, string]>([
    ['a number', { pricing: { prompt: 0.000001, completion: '0.000002' } }, '[0].pricing.prompt'],
    ['an exponent', { pricing: { prompt: '1e-6', completion: '0.000002' } }, '[0].pricing.prompt'],
    ['a negative', { pricing: { prompt: '-0.000001', completion: '0.000002' } }, '[0].pricing.prompt'],
    ['a price of a million', { pricing: { prompt: '0.000001', completion: '15' } }, '[0].pricing.completion'],
    [
      'a price of a million in an offer',
      { offers: [{ provider: 'acme', pricing: { prompt: '2.5' } }] },
      '[0].offers[0].pricing.prompt',
    ],
    ['a number in a purchase', { purchase: { pricing: { prompt: 5 } } }, '[0].purchase.pricing.prompt'],
    ['a priced free entry', { id: 'acme/one:free' }, '[0].pricing'],
  ])('[P10] for %s where a price of one token belongs', (_, changes, path) => {
    expect(problemsOf([{ ...plain, ...changes }])).toEqual([expect.stringContaining(`${path}: `)])
  })

  test.each<[string, JsonObject[], string]>([
    ['descend', [tier(200_000), tier(128_000)], '[0].pricing_tiers[1].above_prompt_tokens'],
    ['repeat', [tier(200_000), tier(200_000)], '[0].pricing_tiers[1].above_prompt_tokens'],
    ['lack a threshold', [{ prompt: '0.1' }], '[0].pricing_tiers[0].above_prompt_tokens'],
    ['lack a price', [{ above_prompt_tokens: 5, prompt: '0.000002' }], '[0].pricing_tiers[0].completion'],
  ])('for tiers that %s', (_, tiers, path) => {
    expect(problemsOf([{ ...plain, pricing_tiers: tiers }])).toEqual([expect.stringContaining(`${path}: `)])
  })

  test('for ids that are equal but for capitals, or of one slug', () => {
    const file = [plain, { ...plain, id: 'Acme/One' }, { ...plain, id: 'acme-x/one' }, { ...plain, id: 'acme/x-one' }]
    expect(problemsOf(file)).toEqual([
      expect.stringContaining('[1].id: must be author/name in lowercase'),
      expect.stringContaining('[1].id: duplicate of [0]'),
      expect.stringContaining('[3].id: duplicate of [2]'),
    ])
  })

  test('with the first 20 problems and the count of all', () => {
    const parsed = parseCatalogueFile(Array.from({ length: 30 }, () => 'no model'))
    expect(parsed).toMatchObject({ accepted: false, problemCount: 30, problems: { length: 20 } })
    expect(problemsOf('models')).toEqual([': must be an array of models'])
    expect(problemsOf({ data: [] })).toEqual(['models: must be an array of models'])
  })
})

describe('a record', () => {
  test.each<[string, JsonObject, Partial<CatalogueRow>]>([
    ['active', { deprecation_date: '2027-01' }, { retiresOn: '2027-01-31', listed: true }],
    ['retired', { deprecation_date: '2026-06-15' }, { retiresOn: '2026-06-15', listed: true }],
    ['retired', {}, { retiresOn: '2000-01-01', listed: true }],
    ['deprecated', {}, { retiresOn: null, listed: true }],
    ['deprecated', { deprecation_date: '2025-01-01' }, { retiresOn: null, listed: true }],
    ['unverified', {}, { retiresOn: null, listed: false }],
  ])('of status %s and %o keeps its dates', (status, changes, expected) => {
    expect(rowOf({ status, ...changes })).toMatchObject(expected)
  })

  test('[P10] keeps the units it knows, in their shortest spelling, rounded up at the eighteenth decimal', () => {
    const pricing = {
      prompt: '0.0000010',
      completion: '0.000002',
      cache_write: '0.0000000833333333333',
      moonlight: '1',
    }
    expect(rowOf({ pricing }).prices).toEqual([
      {
        provider: 'acme',
        variant: '',
        units: { prompt: '0.000001', completion: '0.000002', cache_write: '0.000000083333333334' },
        tiers: [],
      },
    ])
  })

  test('[P10] is not priced by zeros, unless it is a free entry', () => {
    const zeros = { prompt: '0', completion: '0.0' }
    expect(rowOf({ pricing: zeros }).prices).toEqual([])
    expect(rowOf({ pricing: {} }).prices).toEqual([])
    const free = [{ provider: 'acme', variant: '', units: { prompt: '0', completion: '0' }, tiers: [] }]
    expect(rowOf({ id: 'acme/one:free', pricing: zeros }).prices).toEqual(free)
    expect(rowOf({ id: 'acme/one:free', pricing: {} }).prices).toEqual(free)
  })

  test('keeps fees that do not depend on the length of the prompt in every tier', () => {
    const pricing = { prompt: '0.000001', completion: '0.000002', per_request: '0.01', cache_read: '0.0000001' }
    const [price] = rowOf({ pricing, pricing_tiers: [tier(200_000)] }).prices
    expect(price?.tiers).toEqual([
      { abovePromptTokens: 200_000, units: { prompt: '0.000003', completion: '0.000004', per_request: '0.01' } },
    ])
  })

  test('names dated snapshots as aliases, but none that is a model or that two claim', () => {
    const parsed = parseCatalogueFile([
      { ...plain, upstream_aliases: ['one-may', 'two', 'shared', 'not an id'] },
      { ...plain, id: 'acme/two', upstream_aliases: ['shared'] },
    ])
    expect(parsed.accepted && parsed.rows.map((row) => row.aliases)).toEqual([['acme/one-may'], []])
  })
})

describe('the offers of a record', () => {
  test('are one for each host and variant, and the one that names the upstream’s model wins', () => {
    const row = rowOf({
      offers: [
        { provider: 'host', pricing: { prompt: '0.000003', completion: '0.000003' } },
        { provider: 'host', upstream_model_id: 'Acme/One', pricing: { prompt: '0.000004', completion: '0.000004' } },
        { provider: 'host', region: 'eu', pricing: { prompt: '0.000005', completion: '0.000005' } },
        { provider: 'host', service_tier: 'flex', pricing: {} },
        { provider: 'other', region: 'default', upstream_model_id: 'x', pricing: {} },
      ],
    })
    expect(row.offers.map(({ provider, variant, upstreamModel }) => [provider, variant, upstreamModel])).toEqual([
      ['acme', '', 'one-2026'],
      ['host', '', 'Acme/One'],
      ['host', 'eu', 'Acme/One'],
      ['host', 'flex', 'Acme/One'],
      ['other', '', 'x'],
    ])
    expect(row.prices.map(({ provider, variant, units }) => [provider, variant, units.prompt])).toEqual([
      ['acme', '', '0.000001'],
      ['host', '', '0.000004'],
      ['host', 'eu', '0.000005'],
    ])
  })

  test('know a profile for an area by its name, and call a model without one by that of its area', () => {
    const row = rowOf({
      offers: [named('eu.acme.one'), named('acme.one'), named('us.acme.one', 'us'), named(null, 'eu-west-1')],
    })
    expect(row.offers.map(({ variant, upstreamModel }) => [variant, upstreamModel])).toEqual([
      ['', 'one-2026'],
      ['eu', 'eu.acme.one'],
      ['', 'acme.one'],
      ['us', 'us.acme.one'],
      ['eu-west-1', 'eu.acme.one'],
    ])
  })

  test('leave out hosts that stopped selling it or that take it through the completions of old', () => {
    const pricing = { prompt: '0.000003', completion: '0.000003' }
    const row = rowOf({
      offers: [
        { provider: 'acme', status: 'deprecated', pricing },
        { provider: 'one', api: 'completion', pricing },
        { provider: 'two', status: 'beta', pricing },
      ],
    })
    expect(row.offers.map((offer) => offer.provider)).toEqual(['two'])
    // The catalogue entry still has its price.
    expect(row.prices.map((price) => price.provider)).toEqual(['acme', 'two'])
  })

  test('name the interface that a host sells it through, if any of its sources does', () => {
    const pricing = { prompt: '0.000003', completion: '0.000003' }
    const row = rowOf({
      offers: [
        { provider: 'one', upstream_model_id: 'one-a', pricing },
        { provider: 'one', api: 'responses', pricing },
        { provider: 'one', region: 'eu', pricing },
        { provider: 'two', api: 'something-new', pricing },
        { provider: 'acme', api: 'responses', pricing },
      ],
    })
    expect(
      row.offers.map(({ provider, variant, upstreamModel, api }) => [provider, variant, upstreamModel, api]),
    ).toEqual([
      ['acme', '', 'one-2026', 'responses'],
      ['one', '', 'one-a', 'responses'],
      ['one', 'eu', 'one-a', 'responses'],
      ['two', '', 'one-2026', null],
    ])
  })

  test('fall back to the end of the id for the upstream’s name', () => {
    expect(rowOf({ id: 'acme/one:free', pricing: {}, upstream_model_id: null }).offers[0]?.upstreamModel).toBe('one')
  })

  test('[P10] cost at the default provider what the model costs', () => {
    const stale = { prompt: '0.000009', completion: '0.000009' }
    const row = rowOf({ offers: [{ provider: 'acme', upstream_model_id: 'one-2026', pricing: stale }] })
    expect(row.prices).toMatchObject([{ provider: 'acme', units: { prompt: '0.000001' } }])
  })
})

function named(name: string | null, region?: string): JsonObject {
  return {
    provider: 'cloud',
    upstream_model_id: name,
    ...(region === undefined ? {} : { region }),
    pricing: { prompt: '0.000003', completion: '0.000003' },
  }
}

function tier(abovePromptTokens: number): JsonObject {
  return { above_prompt_tokens: abovePromptTokens, prompt: '0.000003', completion: '0.000004' }
}
