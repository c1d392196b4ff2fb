import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseCatalogueFile } from '../../server/src/control/catalogue/parse-catalogue-file.ts'
import { disputedPricesOf } from '../../server/src/domain/catalogue/disputed-price.ts'
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
    const disputed = new Set(disputedPricesOf(details).map(({ provider }) => provider))
    return prices.flatMap(({ provider }) => (disputed.has(provider) ? [`${id} at ${provider}`] : []))
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
