import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parseCatalogueFile } from '#control/catalogue/parse-catalogue-file.ts'
import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import { chargeFor } from '#domain/money/charge.ts'
import { formatUsd } from '#domain/money/nano-usd.ts'
import type { PriceList } from '#domain/money/price-list.ts'
import type { JsonObject } from '#lib/json.ts'
import { createCatalogueStore } from '#store/postgres/catalogue/catalogue-store.ts'
import { settleGenerations } from '#store/postgres/money/settle-generations.sql.ts'
import { createSettleSpool } from '#store/spool/settle-spool.ts'
import { type AccountWorld, createAccountWorld, finishedRecord } from '#test/account/account-world.ts'

const common = { provider: 'acme', input_modalities: ['text'], status: 'active' }
const models: JsonObject[] = [
  {
    ...common,
    id: 'acme/painter',
    kind: 'image',
    output_modalities: ['image'],
    pricing: { per_image_output: '0.045', per_image_input: '0.003' },
    pricing_rules: [{ unit: 'output_image', usd: '0.0901', resolution: '4k' }],
  },
  {
    ...common,
    id: 'acme/drawer',
    kind: 'image',
    output_modalities: ['image'],
    pricing: { prompt: '0.000005', image_input_token: '0.000008', image_output_token: '0.00003' },
  },
  {
    ...common,
    id: 'acme/ear',
    kind: 'transcription',
    output_modalities: ['transcription'],
    pricing: { per_second_input: '0.0000717' },
  },
  {
    ...common,
    id: 'acme/voice',
    kind: 'speech',
    output_modalities: ['speech'],
    pricing: { per_character: '0.000015' },
  },
  {
    ...common,
    id: 'acme/grid',
    kind: 'image',
    output_modalities: ['image'],
    pricing: { per_megapixel_output: '0.06' },
  },
]

let world: AccountWorld
let folder: string
const prices = new Map<string, PriceList>()

beforeAll(async () => {
  world = await createAccountWorld()
  folder = await mkdtemp(join(tmpdir(), 'weir-receipts-'))
  const parsed = parseCatalogueFile(models)
  if (!parsed.accepted) throw new Error(JSON.stringify(parsed.problems))
  const store = createCatalogueStore(world.pool)
  await store.import(parsed.rows, Date.now())
  const { models: loaded } = await store.load()
  for (const { id, price } of loaded.values()) if (price !== null) prices.set(id, price)
})
afterAll(async () => {
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

function priceOf(model: string): PriceList {
  const price = prices.get(model)
  if (price === undefined) throw new Error(`no price for ${model}`)
  return price
}

interface Case {
  model: string
  usage: Usage
  total: string
  lines: JsonObject[]
  media: JsonObject
}

const cases: Case[] = [
  {
    model: 'acme/painter',
    usage: { ...noUsage, media: { outputImages: 2, outputPixels: 2_097_152, inputImages: 3 } },
    total: '0.099',
    lines: [
      { item: 'per_image_output', count: 2, unit_price_usd: '0.045' },
      { item: 'per_image_input', count: 3, unit_price_usd: '0.003' },
    ],
    media: { output_images: 2, output_pixels: 2_097_152, input_images: 3 },
  },
  {
    model: 'acme/painter',
    usage: { ...noUsage, media: { outputImages: 1, variant: { resolution: '4k', quality: 'high' } } },
    total: '0.0901',
    lines: [{ item: 'per_image_output', count: 1, unit_price_usd: '0.0901' }],
    media: { output_images: 1, variant: { resolution: '4k', quality: 'high' } },
  },
  {
    model: 'acme/drawer',
    usage: { ...noUsage, uncachedInput: 13, imageOutput: 1_056, media: { outputImages: 1, inputImageTokens: 323 } },
    total: '0.034329',
    lines: [
      { item: 'uncachedInput', count: 13, unit_price_usd: '0.000005' },
      { item: 'imageOutput', count: 1_056, unit_price_usd: '0.00003' },
      { item: 'image_input_token', count: 323, unit_price_usd: '0.000008' },
    ],
    media: { output_images: 1 },
  },
  {
    model: 'acme/ear',
    usage: { ...noUsage, media: { inputAudioMs: 12_345 } },
    total: '0.000885137',
    lines: [{ item: 'per_second_input', count: 12.345, unit_price_usd: '0.0000717' }],
    media: { input_seconds: 12.345 },
  },
  {
    model: 'acme/voice',
    usage: { ...noUsage, media: { inputCharacters: 4_096 } },
    total: '0.06144',
    lines: [{ item: 'per_character', count: 4_096, unit_price_usd: '0.000015' }],
    media: { input_characters: 4_096 },
  },
  {
    model: 'acme/grid',
    usage: { ...noUsage, media: { outputImages: 1, outputPixels: 1_048_577 } },
    total: '0.06291462',
    lines: [{ item: 'per_megapixel_output', count: 1.048577, unit_price_usd: '0.06' }],
    media: { output_images: 1, output_pixels: 1_048_577 },
  },
  {
    model: 'acme/ear',
    usage: { ...noUsage, media: { inputAudioMs: 9, statedNano: 123_456_789 } },
    total: '0.123456789',
    lines: [{ item: 'stated_by_upstream', count: 1, unit_price_usd: '0.123456789' }],
    media: { input_seconds: 0.009 },
  },
]

describe.each([false, true])('the record of a request with media, through the spool: %s', (isSpooled) => {
  it.each(cases)('[P10] [MONEY-08] recomputes $total for $model', async ({ model, usage, total, lines, media }) => {
    const caller = await world.newCaller('10')
    const price = priceOf(model)
    const { cost, cacheDiscount } = chargeFor(usage, price)
    expect(formatUsd(cost)).toBe(total)
    const change = { model, usage, cost, cacheDiscount, priceId: price.id }
    const record = isSpooled ? await throughSpool(caller, change) : await world.settle(caller, change)
    const { text } = await world.get(`/v1/generation?id=${publicGenerationId(record.id)}`, caller)
    const { data } = JSON.parse(text)
    expect(text).toContain(`"total_cost":${total},`)
    expect(data.receipt).toMatchObject({ price_id: price.id, lines })
    expect(text).toContain(`"total":${total}}`)
    expect(data.usage.media).toEqual(media)
    expect(data.refund_reason).toBeNull()
    const prompt = usage.uncachedInput + (usage.media?.inputImageTokens ?? 0)
    expect(data.usage).toMatchObject({ prompt_tokens: prompt, completion_tokens: usage.imageOutput })
  })
})

it('[GEN-07] says why a request with media cost nothing, and has no lines to show', async () => {
  const caller = await world.newCaller('10')
  const usage = { ...noUsage, media: { outputImages: 0 } }
  const record = await world.settle(caller, { model: 'acme/painter', usage, priceId: null, refundReason: 'zero_usage' })
  const { data } = await world.get(`/v1/generation?id=${publicGenerationId(record.id)}`, caller)
  expect(data).toMatchObject({ total_cost: 0, refund_reason: 'zero_usage', receipt: null, usage: { cost: 0 } })
})

/**
 * Settles as when Postgres is down at the end of the request: the entry is written to a file, read from it, then
 * settled.
 */
async function throughSpool(
  caller: Parameters<AccountWorld['settle']>[0],
  change: Parameters<AccountWorld['settle']>[1],
): ReturnType<AccountWorld['settle']> {
  const record = { ...finishedRecord(caller, Date.now()), ...change }
  const spool = createSettleSpool({
    folder,
    settle: (entries) => settleGenerations(world.pool, entries),
    isFinal: () => true,
    onRejected: (line) => expect.fail(`rejected: ${line}`),
  })
  await spool.append({ record, windows: [] })
  expect(await spool.replay()).toBe(1)
  return record
}
