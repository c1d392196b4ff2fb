import { describe, expect, test } from 'vitest'
import type { CatalogueRow, PriceRow } from '#domain/catalogue/catalogue-row.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { parsePrice } from '#domain/money/state-price.ts'
import { announcedModels } from './announced-models.ts'

type Price = Omit<PriceRow, 'tiers'> & Partial<Pick<PriceRow, 'tiers'>>

const acme = { provider: 'acme', variant: '', units: { prompt: '0.000001', completion: '0.000002' } }

const common = {
  id: 'acme/one',
  name: 'One',
  author: 'acme',
  kind: 'chat',
  description: null,
  contextLength: null,
  maxCompletionTokens: null,
  inputModalities: ['text'],
  outputModalities: ['text'],
  supportedParameters: null,
  defaultProvider: 'acme',
  upstreamModel: null,
  aliases: [],
  listed: true,
  details: {},
} as const

function modelWith(prices: readonly Price[], retiresAtMs: number | null = null): Model {
  const offers = prices.map(({ provider, variant, units, tiers = [], rules }) => ({
    provider,
    variant,
    upstreamModel: 'one',
    contextLength: null,
    maxCompletionTokens: null,
    quantization: null,
    price: parsePrice({ id: '', units, tiers, ...(rules === undefined ? {} : { rules }) }),
    purchase: parsePrice({ id: '', units: { prompt: '0.0000001' }, tiers: [] }),
  }))
  return { ...common, releasedAtMs: null, retiresAtMs, price: null, offers }
}

function rowWith(prices: readonly Price[], retiresOn: string | null = null): CatalogueRow {
  const all = prices.map((price) => ({ tiers: [], ...price }))
  return { ...common, releaseDate: null, retiresOn, offers: [], prices: all }
}

const announced = (model: Model, row: CatalogueRow) => announcedModels({ models: new Map([[model.id, model]]) }, [row])
const line = { provider: 'acme', variant: '', when: '', isPerMillion: true }

describe('the models that customers are told about', () => {
  test('name each changed price per million tokens or per unit, before and after', () => {
    const units = { prompt: '0.0000015', completion: '0.000002', per_request: '0.01' }
    expect(announced(modelWith([acme]), rowWith([{ ...acme, units }]))).toEqual([
      {
        id: 'acme/one',
        name: 'One',
        prices: [
          { ...line, unit: 'prompt', from: '1', to: '1.5' },
          { ...line, unit: 'per_request', isPerMillion: false, from: null, to: '0.01' },
        ],
        retirement: null,
      },
    ])
  })

  test('tell prices of longer prompts and of variants apart', () => {
    const tiers = [{ abovePromptTokens: 1000, units: { prompt: '0.000003' } }]
    const eu = { ...acme, variant: 'eu' }
    const after = [
      { ...acme, tiers: [{ abovePromptTokens: 1000, units: { prompt: '0.000004' } }] },
      { ...eu, units: {} },
    ]
    const [model] = announced(modelWith([{ ...acme, tiers }, eu]), rowWith(after))
    expect(model?.prices).toEqual([
      { ...line, unit: 'prompt', when: 'prompt above 1000 tokens', from: '3', to: '4' },
      { ...line, variant: 'eu', unit: 'prompt', from: '1', to: null },
      { ...line, variant: 'eu', unit: 'completion', from: '2', to: null },
    ])
  })

  test('name a provider that no longer sells the model, and not one that is new', () => {
    const zenith = { ...acme, provider: 'zenith' }
    expect(announced(modelWith([acme]), rowWith([acme, zenith]))).toEqual([])
    const [model] = announced(modelWith([acme, zenith]), rowWith([acme]))
    expect(model?.prices.map(({ provider, to }) => [provider, to])).toEqual([
      ['zenith', null],
      ['zenith', null],
    ])
  })

  test.each<[string, string | null, string | null]>([
    ['is announced', null, '2027-01-31'],
    ['moves', '2027-01-31', '2027-03-31'],
    ['is withdrawn', '2027-01-31', null],
  ])('say when a retirement date %s', (_, from, to) => {
    const retiresAtMs = from === null ? null : Date.parse(from)
    expect(announced(modelWith([acme], retiresAtMs), rowWith([acme], to))).toMatchObject([
      { prices: [], retirement: { from, to } },
    ])
  })

  test('are none where nothing of that changes, or the model is new', () => {
    const model = modelWith([acme], Date.parse('2027-01-31'))
    expect(announced(model, { ...rowWith([acme], '2027-01-31'), description: 'other words' })).toEqual([])
    expect(announcedModels({ models: new Map() }, [rowWith([acme], '2027-01-31')])).toEqual([])
  })
})
