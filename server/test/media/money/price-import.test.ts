import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { countPriced } from '#control/catalogue/count-priced.ts'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import type { CatalogueRow } from '#domain/catalogue/catalogue-row.ts'
import { renderModel } from '#http/models/render-model.ts'
import type { JsonObject } from '#lib/json.ts'
import type { CatalogueStore } from '#ports/catalogue.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { rowsOfFile } from '#test/models/sample-rows.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'

const nowMs = Date.parse('2026-11-15T12:00:00Z')

let database: TestDatabase
let store: CatalogueStore

beforeAll(async () => {
  database = await createTestDatabase()
  store = createCatalogueStore(database.pool)
})
beforeEach(async () => {
  await database.pool.query('TRUNCATE models, offers, prices')
})
afterAll(() => database.drop())

const rule = { unit: 'output_image', usd: '0.09', resolution: '4k' }
const film = { unit: 'second', usd: '0.4', audio: true }

function rowsOf(...records: JsonObject[]): readonly CatalogueRow[] {
  const parsed = parseCatalogueFile(records)
  if (!parsed.accepted) throw new Error(JSON.stringify(parsed.problems))
  return parsed.rows
}

function record(kind: string, output: string, more: JsonObject): JsonObject {
  const id = `acme/${kind}`
  return {
    id,
    kind,
    provider: 'acme',
    input_modalities: ['text'],
    output_modalities: [output],
    status: 'active',
    ...more,
  }
}

const painter = (more: JsonObject): JsonObject =>
  record('image', 'image', { pricing: { per_image_output: '0.04', per_image_input: '0.003' }, ...more })

describe('an import of rules', () => {
  it('adds no version where nothing changed, and one where a rule did', async () => {
    const first = rowsOf(painter({ pricing_rules: [rule] }))
    expect(await store.import(first, nowMs)).toMatchObject({ pricesAdded: 1, unchanged: 0 })
    expect(await store.import(first, nowMs)).toMatchObject({ pricesAdded: 0, unchanged: 1 })
    const dearer = rowsOf(painter({ pricing_rules: [{ ...rule, usd: '0.1' }] }))
    expect(await store.import(dearer, nowMs)).toMatchObject({ pricesAdded: 1, unchanged: 0 })
    expect(await store.import(rowsOf(painter({})), nowMs)).toMatchObject({ pricesAdded: 1, unchanged: 0 })
    const { models } = await store.load()
    expect(models.get('acme/image')?.price).not.toHaveProperty('rules')
  })

  it('is loaded as it was stated', async () => {
    await store.import(rowsOf(painter({ pricing_rules: [rule] })), nowMs)
    const price = (await store.load()).models.get('acme/image')?.price
    expect(price?.rules).toEqual([
      { unit: 'per_image_output', price: 90_000_000_000_000_000n, when: { resolution: '4k' } },
    ])
  })

  it('keeps a price that has nothing but rules, and withdraws it when the file no longer has it', async () => {
    const filmed = record('video', 'video', { pricing: {}, pricing_rules: [film] })
    await store.import(rowsOf(filmed), nowMs)
    expect((await store.load()).models.get('acme/video')?.price?.rules).toHaveLength(1)
    const unpriced = rowsOf(record('video', 'video', { pricing: {} }))
    expect(await store.import(unpriced, nowMs)).toMatchObject({ pricesWithdrawn: 1 })
    expect((await store.load()).models.get('acme/video')?.price).toBeNull()
    expect(await store.import(unpriced, nowMs)).toMatchObject({ pricesWithdrawn: 0 })
  })
})

describe('a listing', () => {
  it.each<[string, JsonObject, JsonObject]>([
    [
      'an image',
      painter({}),
      { pricing: { prompt: '0', completion: '0', image: '0.04', image_input: '0.003' }, priced: true },
    ],
    [
      'tokens of images',
      painter({ pricing: { prompt: '0.000005', image_input_token: '0.000008', image_output_token: '0.00003' } }),
      { pricing: { prompt: '5', completion: '0', image_token: '8', image_output: '30' }, priced: true },
    ],
    [
      'megapixels',
      painter({ pricing: { per_megapixel_output: '0.07' } }),
      { pricing: { prompt: '0', completion: '0', megapixel: '0.07' }, priced: true },
    ],
    [
      'pixels',
      painter({ pricing: { per_pixel_output: '0.0000000013' } }),
      { pricing: { prompt: '0', completion: '0', pixel: '0.0000000013' }, priced: true },
    ],
    [
      'characters, and the voices',
      record('speech', 'speech', { pricing: { per_character: '0.000015' }, supported_voices: ['alloy', 'nova'] }),
      {
        pricing: { prompt: '0', completion: '0', character: '0.000015' },
        priced: true,
        supported_voices: ['alloy', 'nova'],
      },
    ],
    [
      'seconds of sound',
      record('transcription', 'transcription', { pricing: { per_second_input: '0.0001' } }),
      { pricing: { prompt: '0', completion: '0', second: '0.0001' }, priced: true, supported_voices: null },
    ],
    [
      'tokens of sound',
      record('transcription', 'transcription', {
        pricing: { prompt: '0.0000025', audio_input: '0.0000025', completion: '0.00001' },
      }),
      { pricing: { prompt: '2.5', completion: '10', audio: '2.5' }, priced: true },
    ],
    [
      'words and images given',
      record('embedding', 'embeddings', { pricing: { prompt: '0.0000008', per_image_input: '0.00006' } }),
      { pricing: { prompt: '0.8', completion: '0', image: '0.00006' }, priced: true },
    ],
    [
      'a fee for a request',
      record('chat', 'text', { pricing: { prompt: '0.000001', completion: '0.000002', per_request: '0.005' } }),
      { pricing: { prompt: '1', completion: '2', request: '0.005' }, priced: true },
    ],
  ])('[MODEL-07] shows the price of %s', async (_, stated, expected) => {
    const [row] = rowsOf(stated)
    await store.import(rowsOf(stated), nowMs)
    const model = (await store.load()).models.get(row?.id ?? '')
    if (model === undefined) throw new Error('not loaded')
    expect(renderModel(model, nowMs, true)).toMatchObject(expected)
    expect(renderModel(model, nowMs, true).pricing).toEqual(expected['pricing'])
  })

  it.each<[string, JsonObject]>([
    ['only takes images', painter({ pricing: { per_image_input: '0.01' } })],
    ['is priced like words', painter({ pricing: { prompt: '0.000001', completion: '0.000001' } })],
    [
      'has numbered variants of several prices',
      painter({ pricing_rules: ['0.04', '0.08'].map((usd, at) => ({ unit: 'output_image', usd, variant: at + 1 })) }),
    ],
    ['speaks by the token', record('speech', 'speech', { pricing: { prompt: '0.0000005', completion: '0.00001' } })],
  ])('[P10] says that a model which %s has no price', async (_, stated) => {
    const [row] = rowsOf(stated)
    await store.import(rowsOf(stated), nowMs)
    const model = (await store.load()).models.get(row?.id ?? '')
    expect(model === undefined ? null : renderModel(model, nowMs, true).priced).toBe(false)
  })
})

// The full file may be next to the checkout; it is not part of it.
const fullFile = join(import.meta.dirname, '../../../../../shared/facts/models.json')

it('[P10] most of a full catalogue can be charged for, of every kind', () => {
  if (!existsSync(fullFile)) {
    expect(existsSync(fullFile)).toBe(false)
    return
  }
  const counts = countPriced(rowsOfFile(fullFile))
  expect(counts.map(({ kind }) => kind)).toContain('image')
  for (const { kind, models, priced } of counts) expect([kind, priced / models > 0.7]).toEqual([kind, true])
})
