import { describe, expect, test } from 'vitest'
import { disputedPricesOf } from '#domain/catalogue/disputed-price.ts'
import type { JsonObject } from '#lib/json.ts'
import { isRowPriced } from './count-priced.ts'
import { parseCatalogueFile } from './parse-catalogue-file.ts'

const quotes = [
  { source: 'litellm', pricing: { prompt: '0.0000010', completion: '0.000002' } },
  { source: 'models.dev', pricing: { prompt: '0.000003', completion: '0.000004' } },
]
const plain: JsonObject = {
  id: 'acme/one',
  kind: 'chat',
  provider: 'acme',
  upstream_model_id: 'one',
  input_modalities: ['text'],
  output_modalities: ['text'],
}
const price = { prompt: '0.000001', completion: '0.000002' }

function parse(changes: JsonObject) {
  return parseCatalogueFile({ date: '2026-11-14', models: [{ ...plain, ...changes }] })
}

function problemsOf(changes: JsonObject): string[] {
  const parsed = parse(changes)
  return parsed.accepted ? [] : parsed.problems.map(({ path, reason }) => `${path}: ${reason}`)
}

describe('a disputed price', () => {
  test('leaves the provider without one, and is kept with what each source says', () => {
    const parsed = parse({ disputed_prices: [{ provider: 'acme', quotes }] })
    const [row] = parsed.accepted ? parsed.rows : []
    expect(row?.prices).toEqual([])
    expect(row === undefined ? true : isRowPriced(row)).toBe(false)
    expect(disputedPricesOf(row?.details ?? {})).toEqual([
      {
        provider: 'acme',
        quotes: [
          { source: 'litellm', units: { prompt: '0.000001', completion: '0.000002' } },
          { source: 'models.dev', units: { prompt: '0.000003', completion: '0.000004' } },
        ],
      },
    ])
  })

  test('leaves other providers their price', () => {
    const parsed = parse({
      disputed_prices: [{ provider: 'acme', quotes }],
      offers: [
        { provider: 'zenith', pricing: price },
        { provider: 'acme', context_length: 8192 },
      ],
    })
    const [row] = parsed.accepted ? parsed.rows : []
    expect(row?.prices).toEqual([{ provider: 'zenith', variant: '', units: price, tiers: [] }])
    expect(row === undefined ? false : isRowPriced(row)).toBe(true)
  })

  test('V10: of one region leaves the other regions of the provider their price, and comes back as it was', () => {
    const disputed = { provider: 'acme', region: 'au', quotes }
    const eu = { provider: 'acme', region: 'eu', pricing: price }
    const parsed = parse({ disputed_prices: [disputed], pricing: price, offers: [eu] })
    const [row] = parsed.accepted ? parsed.rows : []
    expect(row?.prices.map(({ variant }) => variant)).toEqual(['', 'eu'])
    expect(disputedPricesOf(row?.details ?? {})).toMatchObject([{ provider: 'acme', region: 'au' }])
    expect(problemsOf({ disputed_prices: [{ ...disputed, region: 'eu' }], pricing: price, offers: [eu] })).toEqual([
      expect.stringContaining('models[0].offers[0]: '),
    ])
  })

  test.each<[string, JsonObject, string]>([
    ['the model states one as well', { pricing: price }, 'models[0].pricing: '],
    ['a rule states one as well', { pricing_rules: [{ unit: 'second', usd: '1' }] }, 'models[0].pricing: '],
    ['its offer states one as well', { offers: [{ provider: 'acme', pricing: price }] }, 'models[0].offers[0]: '],
    [
      'another provider would be sold at the price of the model',
      { disputed_prices: [{ provider: 'zenith', quotes }], pricing: price, offers: [{ provider: 'zenith' }] },
      'models[0].offers[0]: ',
    ],
    ['only one source speaks', { disputed_prices: [{ provider: 'acme', quotes: quotes.slice(1) }] }, 'quotes: '],
    [
      'a quote is no price',
      { disputed_prices: [{ provider: 'acme', quotes: [...quotes, { source: 'x', pricing: { prompt: '1e-6' } }] }] },
      'models[0].disputed_prices[0].quotes[2].pricing.prompt: ',
    ],
  ])('is refused where %s', (_, changes, problem) => {
    expect(problemsOf({ disputed_prices: [{ provider: 'acme', quotes }], ...changes })).toEqual([
      expect.stringContaining(problem),
    ])
  })
})
