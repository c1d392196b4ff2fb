import { expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { chargeFor } from '#domain/money/charge.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Capability } from './capabilities.ts'
import { mostOf } from './most-of.ts'
import { probes } from './probes.ts'

const [sample = expect.fail()] = testTicket().plan.candidates
const units = { prompt: '0.000001', completion: '0.000004', cache_read: '0.0000001', cache_write: '0.00000125' }
const candidate = { ...sample, price: { id: 'p', base: parseUnitPrices(units), tiers: [] } }

it.each<[Capability, number, number]>([
  ['document', 1, 16],
  ['tools', 1, 16],
  ['thinking', 1, 2_048],
  ['thoughts', 2, 2_048],
  ['cache', 2, 16],
])('the most of %s covers %d calls whose prompts and answers are as long as they may be', (capability, count, cap) => {
  const calls = probes[capability].calls(candidate)
  expect(calls.map(({ maxTokens }) => maxTokens)).toEqual(Array(count).fill(cap))
  // Cache writes are the most expensive class of a prompt.
  const worst = calls.map(({ promptTokensHeld }) => ({ ...noUsage, cacheWrite5m: promptTokensHeld, textOutput: cap }))
  const charged = worst.reduce((sum, usage) => sum + chargeFor(usage, candidate.price).cost, 0n)
  expect(mostOf({ capability, candidate })).toBeGreaterThanOrEqual(charged)
})

it('the second turn is held for with a first answer that filled its cap', () => {
  const [first = expect.fail(), second = expect.fail()] = probes.thoughts.calls(candidate)
  expect(second.promptTokensHeld).toBeGreaterThan(first.promptTokensHeld + 2_048)
})

it('there is no most where there is no price', () => {
  const unpriced = { ...candidate, price: { ...candidate.price, base: {} } }
  expect(mostOf({ capability: 'document', candidate: unpriced })).toBeNull()
})
