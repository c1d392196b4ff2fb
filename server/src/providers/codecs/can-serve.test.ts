import { expect, it } from 'vitest'
import { parseUnitPrices, type PriceList } from '#domain/money/price-list.ts'
import { canServe } from './can-serve.ts'

it('asks a vendor for words through an interface that it has alone', () => {
  expect(canServe('openai', 'text', { api: 'responses' })).toBe(true)
  expect(canServe('azure', 'text', { api: 'responses' })).toBe(true)
  expect(canServe('xai', 'text', { api: 'responses' })).toBe(true)
  expect(canServe('amazon-bedrock', 'text', { api: 'responses' })).toBe(false)
  expect(canServe('amazon-bedrock', 'text')).toBe(true)
})

it('asks for media as ever', () => {
  expect(canServe('openai', 'image', { api: 'responses' })).toBe(true)
  expect(canServe('anthropic', 'image')).toBe(false)
  expect(canServe('luma', 'text')).toBe(false)
  expect(canServe('gone', 'text', { api: 'responses' })).toBe(true)
})

it('asks for speech that is charged by tokens where they are counted', () => {
  const tokens = listed({ prompt: '0.000001', completion: '0.00001' })
  expect(canServe('google-ai-studio', 'speech', tokens)).toBe(true)
  expect(canServe('google-vertex', 'speech', tokens)).toBe(true)
  expect(canServe('openai', 'speech', tokens)).toBe(false)
  expect(canServe('openrouter', 'speech', tokens)).toBe(false)
  expect(canServe('openrouter', 'speech')).toBe(true)
  expect(canServe('openai', 'speech', listed({ per_character: '0.00001' }))).toBe(true)
})

it('[NEXT-132] asks for a ranking that is charged by tokens where they are counted', () => {
  const tokens = listed({ prompt: '0.00000005' })
  expect(canServe('voyage', 'rerank', tokens)).toBe(true)
  expect(canServe('cohere', 'rerank', tokens)).toBe(false)
  expect(canServe('openrouter', 'rerank', tokens)).toBe(false)
  expect(canServe('cohere', 'rerank', listed({ prompt: '0.00000005', per_search: '0' }))).toBe(false)
  expect(canServe('cohere', 'rerank', listed({ prompt: '0.00000005', per_search: '0.002' }))).toBe(true)
  expect(canServe('cohere', 'rerank', listed({ prompt: '0', per_search: '0' }))).toBe(true)
  expect(canServe('cohere', 'rerank', listed({ per_search: '0.002' }))).toBe(true)
  expect(canServe('voyage', 'rerank', listed({ per_search: '0.002' }))).toBe(true)
  expect(canServe('cohere', 'rerank')).toBe(true)
  expect(canServe('openai', 'rerank', listed({ per_search: '0.002' }))).toBe(false)
  expect(canServe('anthropic', 'rerank')).toBe(false)
})

it('[NEXT-146] asks for a moderation that is charged by tokens where they are counted', () => {
  const tokens = listed({ prompt: '0.0000001' })
  expect(canServe('mistral', 'moderation', tokens)).toBe(true)
  expect(canServe('openai', 'moderation', tokens)).toBe(false)
  expect(canServe('openai', 'moderation', listed({ prompt: '0' }))).toBe(true)
  expect(canServe('openai', 'moderation')).toBe(true)
  expect(canServe('anthropic', 'moderation', tokens)).toBe(false)
})

function listed(units: Record<string, string>): { price: PriceList } {
  return { price: { id: 'p', base: parseUnitPrices(units), tiers: [] } }
}
