import { expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import { canStandIn, whatIf } from './what-if.ts'

const use = { model: 'acme/chat', requests: 2, promptTokens: 1_000, completionTokens: 3, spent: nanoUsd(5n) }
const kinds = new Map([
  ['acme/chat', 'chat'],
  ['acme/paint', 'image'],
] as const)
const kindOf = (id: string) => kinds.get(id as 'acme/chat')

it('multiplies tokens and requests exactly, and rounds up once over all', () => {
  const prices = parseUnitPrices({ prompt: '0.0000000000001', completion: '0.0000000003', per_request: '0.001' })
  // 0.0000000001 + 0.0000000009 + 0.002 USD each.
  const { compared, spent, wouldCost } = whatIf([use, { ...use, promptTokens: 1 }], prices, kindOf)
  expect(compared.map((one) => one.wouldCost)).toEqual([2_000_001n, 2_000_001n])
  expect([spent, wouldCost]).toEqual([10n, 4_000_002n])
})

it('names what cannot be compared, and why', () => {
  const others = [
    { ...use, model: 'acme/paint' },
    { ...use, model: 'acme/gone' },
  ]
  const { compared, incomparable, spent } = whatIf(others, {}, kindOf)
  expect(compared).toEqual([])
  expect(incomparable.map(({ reason }) => reason)).toEqual(['other_kind', 'unknown'])
  expect(spent).toBe(0n)
})

it('wants a model of words with prices for both ways', () => {
  const price = { id: 'p', base: parseUnitPrices({ prompt: '1', completion: '2' }), tiers: [] }
  expect(canStandIn({ kind: 'chat', price })).toBe(true)
  expect(canStandIn({ kind: 'image', price })).toBe(false)
  expect(canStandIn({ kind: 'chat', price: { ...price, base: parseUnitPrices({ prompt: '1' }) } })).toBe(false)
  expect(canStandIn({ kind: 'chat', price: null })).toBe(false)
})

it.each([
  // 1,000 tokens at a dollar a million, 3 at a thousand dollars a million, and 2 requests at a cent.
  [{ prompt: '0.000001' }, 1_000_000n],
  [{ completion: '0.001' }, 3_000_000n],
  [{ per_request: '0.01' }, 20_000_000n],
  [{}, 0n],
])('counts each price by itself: %j', (prices, wouldCost) => {
  expect(whatIf([use], parseUnitPrices(prices), kindOf).wouldCost).toBe(wouldCost)
})
