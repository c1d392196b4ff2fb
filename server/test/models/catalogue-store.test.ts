import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { planImport } from '#control/catalogue/import/plan-import.ts'
import { rowOfModel } from '#control/catalogue/row-of-model.ts'
import { applyProposal } from '#control/catalogue/sync/approve-changes.ts'
import { operatorAuthor } from '#control/operators/platform-entry.ts'
import type { CatalogueRow, StatedUnits } from '#domain/catalogue/catalogue-row.ts'
import type { Model } from '#domain/catalogue/model.ts'
import { formatUnitPrice } from '#domain/money/unit-price.ts'
import type { CatalogueStore } from '#ports/catalogue.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { createTestDatabase, type TestDatabase } from '#test/setup/database.ts'
import { sampleRows } from './sample-rows.ts'
import { soldModel } from './sold-model.ts'

const nowMs = Date.parse('2026-11-15T12:00:00Z')
const rows = sampleRows()

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

test('what is imported is what is loaded', async () => {
  const report = await store.import(rows, nowMs)
  expect(report).toEqual({
    models: rows.length,
    offers: rows.flatMap((row) => row.offers).length,
    pricesAdded: rows.flatMap((row) => row.prices).length,
    pricesWithdrawn: 0,
    unchanged: 0,
    retired: 1,
    unlisted: 0,
    announced: 0,
  })
  const { models } = await store.load()
  expect([...models.keys()].sort()).toEqual(rows.map((row) => row.id).sort())
  expect(models.get('google/gemini-3-pro')).toMatchObject({
    name: 'Google: Gemini 3 Pro',
    author: 'google',
    kind: 'chat',
    contextLength: 1_048_576,
    maxCompletionTokens: 65_536,
    inputModalities: ['text', 'image', 'file', 'audio', 'video'],
    outputModalities: ['text'],
    defaultProvider: 'google-ai-studio',
    upstreamModel: 'gemini-3-pro',
    releasedAtMs: Date.UTC(2025, 10, 18),
    retiresAtMs: null,
    listed: true,
    price: {
      base: { prompt: 2_200_000_000_000n, completion: 13_000_000_000_000n },
      tiers: [{ abovePromptTokens: 200_000, prices: { prompt: 4_400_000_000_000n, completion: 19_500_000_000_000n } }],
    },
  })
  expect(models.get('openai/gpt-4.1-nano')?.retiresAtMs).toBe(Date.UTC(2026, 11, 5))
  expect(models.get('qwen/qwen3-32b')?.details).toEqual({ canonical_slug: 'qwen/qwen3-32b-04-28' })
})

test('what the operator pays for an offer is loaded with it, and gone once a file no longer states it', async () => {
  const row = rows.find(({ id }) => id === 'openai/gpt-5.2')
  if (row === undefined) throw new Error('the sample has the model')
  const purchase = { units: { prompt: '0.0000004' }, tiers: [{ abovePromptTokens: 9, units: { prompt: '0.0000003' } }] }
  const offers = row.offers.map((offer) => (offer.provider === 'azure' ? { ...offer, purchase } : offer))
  const purchases = async () => {
    const { models } = await store.load()
    return models.get(row.id)?.offers.map(({ provider, variant, purchase: list }) => {
      return [provider, variant, list?.base.prompt, list?.tiers[0]?.prices.prompt]
    })
  }
  await store.import([{ ...row, offers }], nowMs)
  const bought = [400_000_000_000n, 300_000_000_000n]
  expect(await purchases()).toEqual([
    ['azure', '', ...bought],
    ['azure', 'eu', ...bought],
    ['openai', '', undefined, undefined],
    ['openai', 'flex', undefined, undefined],
    ['openrouter', '', undefined, undefined],
  ])
  const [loaded] = [...(await store.load()).models.values()].map(rowOfModel)
  expect(loaded?.offers.filter(({ provider }) => provider === 'azure').map((offer) => offer.purchase)).toEqual([
    purchase,
    purchase,
  ])
  await store.import([row], nowMs + 1)
  expect((await purchases())?.[0]).toEqual(['azure', '', undefined, undefined])
})

test('a host’s plain offer comes before its variants, each with its own price', async () => {
  await store.import(rows, nowMs)
  const offers = await offersOf('openai/gpt-5.2')
  expect(offers).toEqual([
    ['azure', '', '0.0000015'],
    ['azure', 'eu', '0.00000165'],
    ['openai', '', '0.0000015'],
    ['openai', 'flex', '0.00000075'],
    ['openrouter', '', '0.0000015'],
  ])
})

test('[P10] a model without a price has none, and a withdrawn price is none', async () => {
  await store.import(rows, nowMs)
  expect((await readModel('meta-llama/llama-guard-4-12b')).price).toBeNull()
  expect((await readModel('openai/tts-1')).price).not.toBeNull()
  const report = await store.import([change('openai/tts-1', { prices: [] })], nowMs)
  expect(report).toMatchObject({ pricesAdded: 0, pricesWithdrawn: 1, unchanged: 0 })
  expect((await readModel('openai/tts-1')).price).toBeNull()
  expect(await store.import([change('openai/tts-1', { prices: [] })], nowMs)).toMatchObject({ pricesWithdrawn: 0 })
  expect(await store.import(rows, nowMs)).toMatchObject({ pricesAdded: 1 })
  expect((await readModel('openai/tts-1')).price).not.toBeNull()
})

test('[P10] a changed price is a new version, the old one stays, and equal ones add nothing', async () => {
  await store.import(rows, nowMs)
  const before = (await readModel('x-ai/grok-4.1-fast')).price
  const again = await store.import(rows, nowMs)
  expect(again).toMatchObject({ pricesAdded: 0, unchanged: rows.flatMap((row) => row.prices).length })
  expect((await readModel('x-ai/grok-4.1-fast')).price?.id).toBe(before?.id)

  // A clock that was set back must not restore the old price.
  const dearer = repriced('x-ai/grok-4.1-fast', { prompt: '0.000001', completion: '0.000009' })
  expect(await store.import([dearer], nowMs - 60_000)).toMatchObject({ pricesAdded: 1 })
  const after = (await readModel('x-ai/grok-4.1-fast')).price
  expect(after?.base.completion).toBe(9_000_000_000_000n)
  expect(after?.id).not.toBe(before?.id)
  const { rows: versions } = await database.pool.query<{ id: string; completion: string }>(
    `SELECT id, units->>'completion' AS completion FROM prices
      WHERE model_id = 'x-ai/grok-4.1-fast' AND provider = 'xai' ORDER BY valid_from`,
  )
  expect(versions).toEqual([
    { id: before?.id, completion: '0.00000055' },
    { id: after?.id, completion: '0.000009' },
  ])
})

test('a new tier alone is a new version', async () => {
  await store.import(rows, nowMs)
  const row = readRow('x-ai/grok-4.1-fast')
  const tiers = [{ abovePromptTokens: 128_000, units: { prompt: '0.000001', completion: '0.000002' } }]
  const prices = row.prices.map((price) => (price.provider === 'xai' ? { ...price, tiers } : price))
  expect(await store.import([{ ...row, prices }], nowMs)).toMatchObject({ pricesAdded: 1, unchanged: 1 })
  expect((await readModel(row.id)).price?.tiers).toHaveLength(1)
})

test('offers that a file no longer has are inactive, and return with the next file that has them', async () => {
  await store.import(rows, nowMs)
  const offers = readRow('z-ai/glm-4.7').offers.filter((offer) => offer.provider !== 'fireworks')
  await store.import([change('z-ai/glm-4.7', { offers })], nowMs)
  expect((await offersOf('z-ai/glm-4.7')).map(([provider]) => provider)).toEqual(['deepinfra', 'z-ai'])
  expect((await offersOf('qwen/qwen3-32b')).length).toBeGreaterThan(2)
  await store.import(rows, nowMs)
  expect((await offersOf('z-ai/glm-4.7')).map(([provider]) => provider)).toEqual(['deepinfra', 'fireworks', 'z-ai'])
})

test('models that a file does not name stay listed, unless it replaces the catalogue', async () => {
  await store.import(rows, nowMs)
  const listedBefore = rows.filter((row) => row.listed).length
  const one = [readRow('qwen/qwen3-32b')]
  expect(await store.import(one, nowMs)).toMatchObject({ models: 1, unlisted: 0 })
  expect(await listedCount()).toBe(listedBefore)
  expect(await store.import(one, nowMs, { replace: true })).toMatchObject({ unlisted: listedBefore - 1 })
  expect(await listedCount()).toBe(1)
  expect((await store.load()).models.size).toBe(rows.length)
})

test('the revision moves with every import, and a failing import leaves everything as it was', async () => {
  const before = await store.revision()
  await store.import(rows, nowMs)
  expect(await store.revision()).toBe(before + 1)
  expect((await store.load()).revision).toBe(before + 1)
  const good = repriced('qwen/qwen3-32b', { prompt: '0.000001', completion: '0.000009' })
  const bad = change('z-ai/glm-4.7', { retiresOn: 'never' })
  await expect(store.import([good, bad], nowMs)).rejects.toThrow('date')
  expect(await store.revision()).toBe(before + 1)
  expect((await readModel('qwen/qwen3-32b')).price?.base.completion).toBe(2_600_000_000_000n)
})

test('imports at the same time take turns: the last one decides', async () => {
  await store.import(rows, nowMs)
  const files = ['qwen/qwen3-32b', 'z-ai/glm-4.7', 'x-ai/grok-4.1-fast', 'openai/tts-1'].map((id) => [readRow(id)])
  await Promise.all(files.map((file) => store.import(file, nowMs, { replace: true })))
  expect(await listedCount()).toBe(1)
})

function readRow(id: string): CatalogueRow {
  const row = rows.find((candidate) => candidate.id === id)
  if (row === undefined) throw new Error(`the sample has no ${id}`)
  return row
}

function change(id: string, changes: Partial<CatalogueRow>): CatalogueRow {
  return { ...readRow(id), ...changes }
}

/** The row with another price at its default provider. */
function repriced(id: string, units: StatedUnits): CatalogueRow {
  const row = readRow(id)
  const prices = row.prices.map((price) => (price.provider === row.defaultProvider ? { ...price, units } : price))
  return { ...row, prices }
}

async function readModel(id: string): Promise<Model> {
  const model = (await store.load()).models.get(id)
  if (model === undefined) throw new Error(`${id} is not stored`)
  return model
}

async function offersOf(id: string): Promise<[string, string, string][]> {
  const { offers } = await readModel(id)
  return offers.map(({ provider, variant, price }) => [provider, variant, formatUnitPrice(price?.base.prompt ?? 0n)])
}

async function listedCount(): Promise<number> {
  return [...(await store.load()).models.values()].filter((model) => model.listed).length
}

const doubtfulAndSure = (price: string) =>
  [soldModel('acme/doubtful', price), soldModel('acme/sure', '0.000001')].map(rowOfModel)

test('a complete file keeps the models whose doubtful changes are skipped, and unlists the others', async () => {
  await store.import([...doubtfulAndSure('0.000001'), rowOfModel(soldModel('acme/gone', '0.000001'))], nowMs)
  const file = [...doubtfulAndSure('0.1'), rowOfModel(soldModel('acme/new', '0.000001'))]
  const plan = planImport(await store.load(), { rows: file, name: 'file', replace: true }, nowMs)
  const how = { doubtful: 'skip', announce: false, action: 'catalogue.import' } as const
  const report = await applyProposal({ catalogue: store }, plan, how, operatorAuthor(nowMs))
  expect(report).toMatchObject({ models: 2, unlisted: 1 })
  const { models } = await store.load()
  expect([...models.values()].map(({ id, listed }) => [id, listed]).toSorted()).toEqual([
    ['acme/doubtful', true],
    ['acme/gone', false],
    ['acme/new', true],
    ['acme/sure', true],
  ])
})
