import { expect, test } from 'vitest'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import type { JsonObject } from '#lib/json.ts'
import { parseCatalogueFile } from './parse-catalogue-file.ts'
import { writeModelRecord } from './write-model-record.ts'

const plain: JsonObject = {
  id: 'acme/one',
  kind: 'chat',
  provider: 'acme',
  input_modalities: ['text', 'image'],
  output_modalities: ['text'],
}
const price = { prompt: '0.000001', completion: '0.000002', per_request: '0.01' }
const tiers = [{ above_prompt_tokens: 200_000, prompt: '0.000002', completion: '0.000004' }]

function rowOf(record: JsonObject): CatalogueRow {
  const parsed = parseCatalogueFile([record])
  if (!parsed.accepted || parsed.rows[0] === undefined) throw new Error(JSON.stringify(parsed))
  return parsed.rows[0]
}

test.each<[string, JsonObject]>([
  ['nothing but what is required', {}],
  [
    'every field',
    {
      name: 'One',
      description: 'The first',
      upstream_model_id: 'one-2026',
      context_length: 8192,
      max_completion_tokens: 1024,
      supported_parameters: ['tools'],
      release_date: '2026',
      deprecation_date: '2031-12',
      upstream_aliases: ['one-latest'],
      status: 'unverified',
      reasoning: { mandatory: true },
    },
  ],
  ['a price with tiers and rules', { pricing: price, pricing_tiers: tiers }],
  ['rules alone', { kind: 'video', pricing_rules: [{ unit: 'second', usd: '0.1', resolution: '4k', audio: true }] }],
  ['a price of nothing that is meant', { free: true }],
  ['a free entry', { id: 'acme/one:free' }],
  [
    'offers with and without a price',
    {
      pricing: price,
      offers: [
        { provider: 'zenith', upstream_model_id: 'z', pricing: price, pricing_tiers: tiers, quantization: 'fp8' },
        { provider: 'zenith', region: 'eu', service_tier: 'flex', context_length: 4096 },
        { provider: 'acme', upstream_model_id: 'one-2', context_length: 4096 },
      ],
    },
  ],
  ['an interface that the default provider sells it through', { offers: [{ provider: 'acme', api: 'responses' }] }],
  [
    'an interface that another provider sells it through',
    { pricing: price, offers: [{ provider: 'zenith', pricing: price, api: 'responses' }] },
  ],
  [
    'what the operator pays the default provider and another one',
    {
      pricing: price,
      purchase: { pricing: { prompt: '0.0000005', completion: '0.000001' } },
      offers: [
        {
          provider: 'zenith',
          pricing: price,
          purchase: { pricing: { prompt: '0.000001', completion: '0.000002' }, pricing_tiers: tiers },
        },
      ],
    },
  ],
  ['a purchase that costs nothing', { pricing: price, purchase: { pricing: { prompt: '0', completion: '0' } } }],
  ['a default provider that stopped', { pricing: price, offers: [{ provider: 'acme', status: 'gone' }] }],
  [
    'a disputed price',
    {
      disputed_prices: [
        {
          provider: 'acme',
          quotes: [
            { source: 'a', pricing: { prompt: '0.000001' } },
            { source: 'b', pricing: { prompt: '0.000002' } },
          ],
        },
      ],
    },
  ],
])('a written record reads as the row that it was written from: %s', (_, changes) => {
  const row = rowOf({ ...plain, ...changes })
  expect(rowOf(writeModelRecord(row))).toEqual(row)
})
