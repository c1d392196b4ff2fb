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

function listed(units: Record<string, string>): { price: PriceList } {
  return { price: { id: 'p', base: parseUnitPrices(units), tiers: [] } }
}
