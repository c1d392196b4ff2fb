import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseConfig } from '../../server/src/config/parse-config.ts'
import { parseCatalogueFile } from '../../server/src/control/catalogue/parse-catalogue-file.ts'
import { disputedPricesOf, isDisputedAt } from '../../server/src/domain/catalogue/disputed-price.ts'
import { isJsonObject } from '../../server/src/lib/json.ts'
import { repositoryRoot } from '../lib/repository-root.ts'
import { isVerified } from './is-verified.ts'

const text = readFileSync(join(repositoryRoot, 'server/catalogue/starter.json'), 'utf8')
const file: unknown = JSON.parse(text)
const parsed = parseCatalogueFile(file)
const rows = parsed.accepted ? parsed.rows : []

test('the starter catalogue is accepted, dated, names its sources, and stays small enough to be read', () => {
  expect(parsed.accepted ? [] : parsed.problems).toEqual([])
  const head = isJsonObject(file) ? file : {}
  expect(head['date']).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  expect(head['sources']).toContainEqual(expect.stringContaining('litellm'))
  expect(head['notices']).toContainEqual('Copyright (c) 2023 Berri AI')
  expect(text.length).toBeLessThan(800_000)
  expect(rows.length).toBeGreaterThan(400)
})

test('each model is sold by providers whose API was verified, and nothing in it was retired when it was put together', () => {
  const date = isJsonObject(file) ? String(file['date']) : ''
  const strangers = rows.flatMap(({ id, kind, offers }) =>
    offers.flatMap(({ provider, api }) => (isVerified(provider, kind, api) ? [] : [`${id} at ${provider}`])),
  )
  expect(strangers).toEqual([])
  expect(rows.filter(({ retiresOn }) => retiresOn !== null && retiresOn <= date)).toEqual([])
})

test('every offer has a price of its own, unless the price is disputed', () => {
  const unpriced = rows.flatMap(({ id, offers, prices, details }) => {
    const known = new Set([...prices, ...disputedPricesOf(details)].map(({ provider }) => provider))
    return offers.flatMap(({ provider }) => (known.has(provider) ? [] : [`${id} at ${provider}`]))
  })
  expect(unpriced).toEqual([])
  const guessed = rows.flatMap(({ id, prices, details }) => {
    const disputed = disputedPricesOf(details)
    return prices.flatMap((price) =>
      disputed.some((each) => isDisputedAt(each, price)) ? [`${id} at ${price.provider}/${price.variant}`] : [],
    )
  })
  expect(guessed).toEqual([])
})

test('names that are no endpoints are not in it', () => {
  const names = rows.flatMap(({ offers }) =>
    offers.map(({ provider, upstreamModel }) => `${provider} ${upstreamModel}`),
  )
  for (const name of ['fal fal-ai/seedream-v4', 'fal fal-ai/recraft-v3', 'runway gen3a_turbo', 'runway gen4_aleph']) {
    expect(names).not.toContain(name)
  }
  expect(names.filter((name) => /fireworks-asr|sora-2|^openai dall-e/.test(name))).toEqual([])
})

test('models that are sold through Responses alone are in it, with that interface and where it is served', () => {
  const sellers = rows.flatMap(({ id, offers }) =>
    offers.filter(({ api }) => api === 'responses').map(({ provider }) => ({ id, provider })),
  )
  expect(new Set(sellers.map(({ provider }) => provider))).toEqual(new Set(['openai', 'azure']))
  const ids = new Set(sellers.map(({ id }) => id))
  for (const id of ['openai/gpt-5-codex', 'openai/gpt-5-pro', 'openai/o3-pro']) expect(ids).toContain(id)
})

function priceAt(id: string, provider: string, variant = '') {
  const row = rows.find((each) => each.id === id)
  return row?.prices.find((price) => price.provider === provider && price.variant === variant)
}

test('V8: prices that a provider itself states are in it, and are not disputed', () => {
  expect(priceAt('openai/gpt-5.5', 'openai')?.units).toMatchObject({
    priority_prompt: '0.0000125',
    priority_completion: '0.000075',
  })
  expect(priceAt('anthropic/claude-sonnet-5', 'anthropic')?.units).toMatchObject({
    prompt: '0.000002',
    completion: '0.00001',
  })
  const pro = priceAt('deepseek/deepseek-v4-pro', 'deepseek')
  expect(pro?.units).toMatchObject({ prompt: '0.00000132', completion: '0.00000396', cache_read: '0.000000044' })
  expect(pro?.rules?.map(({ unit, usd }) => `${unit} ${usd}`)).toEqual([
    'prompt 0.00000066',
    'completion 0.00000198',
    'cache_read 0.000000022',
  ])
})

test('V10: a region at a price far from the others is not sold, and the others are', () => {
  const row = rows.find(({ id }) => id === 'anthropic/claude-opus-4.6')
  const regions = row?.offers.filter(({ provider }) => provider === 'amazon-bedrock').map(({ variant }) => variant)
  expect(regions?.toSorted()).toEqual(['', 'eu', 'global', 'us'])
  expect(disputedPricesOf(row?.details ?? {})).toMatchObject([{ provider: 'amazon-bedrock', region: 'au' }])
  expect(priceAt('openai/gpt-5.5', 'azure')?.units.priority_prompt).toBeUndefined()
  expect(priceAt('openai/gpt-5.5', 'azure', 'eu')?.units.priority_prompt).toBeUndefined()
})

test('V11: an alias that moves has the price of its target, or is not in it', () => {
  const lite = priceAt('google/gemini-flash-lite-latest', 'google-ai-studio')?.units
  expect(lite).toMatchObject({ prompt: '0.0000003', completion: '0.0000025' })
  expect(lite).toEqual(priceAt('google/gemini-3.5-flash-lite', 'google-ai-studio')?.units)
  // The alias targets Gemini 3.8 Flash, whose price only a reseller states.
  expect(rows.some(({ id }) => id === 'google/gemini-flash-latest')).toBe(false)
})

test('V6: what a provider has shut down is not sold there', () => {
  const gone = {
    'google-ai-studio': /^(?:veo-|gemini-2\.5-flash-preview-09-2025$|gemini-2\.5-flash-image$)/,
    'google-vertex': /^(?:gemini-2\.5-flash-image$|claude-3-5-haiku)/,
    anthropic: /^claude-opus-4-1/,
    azure: /^claude-opus-4-1/,
  }
  const sold = rows.flatMap(({ offers }) => offers.map(({ provider, upstreamModel }) => ({ provider, upstreamModel })))
  const stale = Object.entries(gone).flatMap(([provider, names]) =>
    sold.filter((offer) => offer.provider === provider && names.test(offer.upstreamModel)),
  )
  expect(stale).toEqual([])
  // Google Cloud still sells these.
  expect(sold).toContainEqual({ provider: 'google-vertex', upstreamModel: 'veo-3.1-generate-001' })
  expect(sold).toContainEqual({ provider: 'google-vertex', upstreamModel: 'claude-opus-4-1' })
})

test('V6: the model that edits images by default is in it, with a price', () => {
  const { media } = parseConfig({ env: { WEIR_SECRET: 'x3-Kd81m_Qp0zLr7-Vb2n_Yt5w-Hs9c_Ge4u' } })
  const price = priceAt(media.editModel, 'google-ai-studio')
  expect(price?.units.image_output_token).toBe('0.00012')
})

test('V5: models that are newer than the facts are in it, at the prices of their providers', () => {
  expect(priceAt('anthropic/claude-opus-5.5', 'anthropic')?.units).toMatchObject({
    prompt: '0.000004',
    completion: '0.00002',
    cache_read: '0.0000002',
    cache_write: '0.000005',
    cache_write_1h: '0.000008',
  })
  expect(priceAt('anthropic/claude-sonnet-5.5', 'anthropic')?.units).toMatchObject({
    prompt: '0.000002',
    completion: '0.00001',
  })
  expect(priceAt('anthropic/claude-fable-5.1', 'anthropic')?.units).toMatchObject({
    prompt: '0.00001',
    completion: '0.00005',
  })
  const sol = priceAt('openai/gpt-6-sol', 'openai')
  expect(sol?.units).toMatchObject({ prompt: '0.000002', completion: '0.00001', cache_read: '0.0000002' })
  expect(sol?.tiers).toMatchObject([{ abovePromptTokens: 272_000, units: { prompt: '0.000004' } }])
})
