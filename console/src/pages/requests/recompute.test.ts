import { expect, it } from 'vitest'
import { recompute } from './recompute.ts'

it('multiplies and adds exactly, and rounds up once over the whole request', () => {
  const { nano } = recompute([
    { item: 'uncachedInput', count: 1, unit_price_usd: '0.0000000004' },
    { item: 'cacheRead', count: 1, unit_price_usd: '0.0000000004' },
    { item: 'textOutput', count: 1, unit_price_usd: '0.0000000004' },
  ])
  expect(nano).toBe(2n)
})

it('counts parts of seconds and megapixels', () => {
  expect(recompute([{ item: 'per_second_input', count: '12.345678', unit_price_usd: '0.0001' }]).nano).toBe(1_234_568n)
})

it('lets the least charge stand in place of the sum', () => {
  const lines = [
    { item: 'per_image_output', count: 1, unit_price_usd: '0.001' },
    { item: 'per_request_minimum', count: 1, unit_price_usd: '0.01' },
  ]
  expect(recompute(lines).nano).toBe(10_000_000n)
})
