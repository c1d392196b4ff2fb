import { describe, expect, test } from 'vitest'
import { disputedPricesOf } from '../../server/src/domain/catalogue/disputed-price.ts'
import type { JsonObject } from '../../server/src/lib/json.ts'
import { deriveStarter } from './derive-starter.ts'

const price = { prompt: '0.000001', completion: '0.000002' }
const other = { prompt: '0.000003', completion: '0.000004' }
const plain: JsonObject = {
  id: 'acme/one',
  kind: 'chat',
  provider: 'acme',
  upstream_model_id: 'one',
  input_modalities: ['text'],
  output_modalities: ['text'],
  pricing: price,
  pricing_from: 'acme (litellm)',
  status: 'active',
  free: false,
  source: ['litellm'],
}

function isVerified(provider: string, _kind: string, api: string | null): boolean {
  const isServed = api === null || provider === 'acme'
  return isServed && ['acme', 'zenith', 'fal', 'fireworks', 'runway'].includes(provider)
}

function derive(changes: JsonObject, disagreements: JsonObject = {}) {
  return deriveStarter({ models: [{ ...plain, ...changes }], disagreements }, isVerified)
}

test('a model that a verified provider sells at an undisputed price is taken, with where the price is from', () => {
  expect(derive({}).models).toEqual([
    {
      id: 'acme/one',
      kind: 'chat',
      provider: 'acme',
      upstream_model_id: 'one',
      input_modalities: ['text'],
      output_modalities: ['text'],
      pricing: price,
      pricing_from: 'acme (litellm)',
    },
  ])
})

describe('left out is', () => {
  test.each<[string, JsonObject]>([
    ['a retired model', { status: 'retired' }],
    ['a model of one secondary source', { status: 'unverified' }],
    ['a free model', { free: true, pricing: {} }],
    ['a model without an endpoint', { kind: 'realtime' }],
    ['a model without a price', { pricing: { prompt: '0', completion: '0' } }],
    ['a model that no source names as its provider does', { upstream_model_id: null }],
    ['a model of a provider that nothing verifies', { provider: 'stranger' }],
    ['a price that a reseller states of its provider', { pricing_from: 'openrouter listing' }],
    [
      'a model behind another interface, also where one source alone knows',
      {
        offers: [
          { provider: 'acme', upstream_model_id: 'one', pricing: price },
          { provider: 'acme', upstream_model_id: 'one', pricing: price, api: 'completion' },
        ],
      },
    ],
    ['what fireworks serves by WebSocket', { provider: 'fireworks', upstream_model_id: 'fireworks-asr-large' }],
    ['what left the SDK of runway', { provider: 'runway', upstream_model_id: 'gen3a_turbo' }],
  ])('%s', (_, changes) => {
    const { models, leftOut } = derive(changes)
    expect(models).toEqual([])
    expect(Object.values(leftOut)).toEqual([1])
  })
})

test('a name that is no endpoint is corrected, for the model and for an offer', () => {
  const { models } = derive({
    kind: 'image',
    output_modalities: ['image'],
    provider: 'fal',
    upstream_model_id: 'fal-ai/seedream-v4',
    pricing: { per_image_output: '0.03' },
  })
  expect(models).toMatchObject([{ upstream_model_id: 'fal-ai/bytedance/seedream/v4/text-to-image' }])
  const offers = [{ provider: 'fal', upstream_model_id: 'fal-ai/recraft-v3', pricing: price }]
  expect(derive({ offers }).models).toMatchObject([
    { offers: [{ provider: 'fal', upstream_model_id: 'fal-ai/recraft/v3/text-to-image' }] },
  ])
})

test('another verified seller takes the place of a provider that nothing verifies; offers without a price go', () => {
  const offers = [
    { provider: 'zenith', upstream_model_id: 'z-one', pricing: other },
    { provider: 'fal', upstream_model_id: 'f-one', pricing: { prompt: '0', completion: '0' } },
  ]
  expect(derive({ provider: 'stranger', offers }).models).toEqual([
    {
      id: 'acme/one',
      kind: 'chat',
      provider: 'zenith',
      upstream_model_id: 'z-one',
      input_modalities: ['text'],
      output_modalities: ['text'],
      pricing: other,
    },
  ])
})

describe('a price is not taken, and every source quoted, where', () => {
  const native = { id: 'acme/one', provider: 'acme', quotes: { litellm: price, 'models.dev': other } }
  const sameHost = { id: 'acme/one', provider: 'acme', upstream_model_id: 'one', litellm: price, models_dev: other }
  test.each<[string, JsonObject, JsonObject, string[]]>([
    ['sources disagree on it', {}, { native_price_disagreements: [native] }, ['litellm', 'models.dev']],
    ['two quote one host', {}, { same_host_disagreements: [sameHost] }, ['litellm', 'models.dev']],
    [
      'a later listing says otherwise',
      { openrouter_price_2026_08_21: other },
      {},
      ['litellm', 'openrouter 2026-08-21'],
    ],
  ])('%s', (_, changes, disagreements, sources) => {
    const { models, disputed } = derive(changes, disagreements)
    expect(disputed).toBe(1)
    expect(models[0]?.['pricing']).toBeUndefined()
    const [dispute] = disputedPricesOf(models[0] ?? {})
    expect(dispute?.provider).toBe('acme')
    expect(dispute?.quotes.map(({ source }) => source)).toEqual(sources)
  })

  test('another provider of the model keeps its price, and a disputed offer goes', () => {
    const offers = [{ provider: 'zenith', upstream_model_id: 'Z-One', pricing: other }]
    const dispute = { ...sameHost, provider: 'zenith', upstream_model_id: 'z-one' }
    expect(derive({ offers }, { native_price_disagreements: [native] }).models).toMatchObject([
      { offers: [{ provider: 'zenith', pricing: other }] },
    ])
    const [model] = derive({ offers }, { same_host_disagreements: [dispute] }).models
    expect(model).toMatchObject({ pricing: price, disputed_prices: [{ provider: 'zenith' }] })
    expect(model?.['offers']).toBeUndefined()
  })

  test('a later listing with the same price disputes nothing', () => {
    expect(derive({ openrouter_price_2026_08_21: price }).disputed).toBe(0)
  })
})

test('a model behind Responses alone is taken from the sellers that serve it, and not from others', () => {
  const offers = [
    { provider: 'acme', upstream_model_id: 'one', pricing: price, api: 'responses' },
    { provider: 'zenith', upstream_model_id: 'z-one', pricing: other, api: 'responses' },
  ]
  expect(derive({ offers }).models).toMatchObject([
    { provider: 'acme', offers: [{ provider: 'acme', api: 'responses' }] },
  ])
  expect(derive({ offers: offers.slice(1), provider: 'zenith', upstream_model_id: 'z-one' }).models).toEqual([])
})
