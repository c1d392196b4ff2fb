import { describe, expect, it } from 'vitest'
import type { DialectCall } from '#dialects/dialect.ts'
import { noUsage } from '#domain/inference/usage.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { quotedCosts } from './quoted-costs.ts'

const price = {
  id: 'p',
  base: parseUnitPrices({ prompt: '0.000001', completion: '0.000002', cache_read: '0.0000001' }),
  tiers: [],
}

function costsOf(
  call: Partial<DialectCall>,
  change: Partial<Candidate> = {},
  typical: number | null = null,
  cached = 0,
) {
  const { plan } = testTicket()
  const [candidate] = plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  const use = { requests: 3, completionTokens: typical ?? 0, promptTokens: 1_000, cachedTokens: cached }
  const size = { promptTokensEstimate: 100, promptTokensHeld: 110 }
  const whole = { ...candidate, price, maxCompletionTokens: 5_000, ...change }
  return quotedCosts({ ...plan.call, ...size, ...call }, whole, typical === null ? null : use)
}

describe('the costs of a request at one provider', () => {
  it('are the cached prompt alone, and the longest output', () => {
    // 110 prompt tokens and what the provider adds to a prompt, then the model's 5,000 tokens.
    expect(costsOf({})).toEqual({ least: 10_000n, likely: null, worst: 10_238_000n })
  })

  it.each([
    ['is that of typical output', 300, 0, 700_000n],
    ['counts the usual share of a cache', 300, 500, 655_000n],
    ['ends at the cap of the client', 9_000, 0, 900_000n],
  ])('the likely cost %s', (_what, typical, cached, likely) => {
    expect(costsOf({ maxTokens: 400 }, {}, typical, cached).likely).toBe(likely)
  })

  it('all choices count', () => {
    const one = costsOf({ maxTokens: 400 })
    const three = costsOf({ maxTokens: 400, choiceCount: 3 })
    expect(three.worst - one.worst).toBeGreaterThanOrEqual(1_600_000n)
    expect(costsOf({ maxTokens: 400, choiceCount: 3 }, {}, 9_000).likely).toBe(2_500_000n)
  })

  it('never exceed the worst', () => {
    const fee = { ...price, base: parseUnitPrices({ prompt: '0.000001', completion: '0' }) }
    const { least, likely, worst } = costsOf({ maxTokens: 1 }, { price: fee }, 50)
    expect(least <= worst && (likely ?? 0n) <= worst).toBe(true)
  })

  it.each(['free', 'own_key', 'test'] as const)('are nothing for %s', (billing) => {
    expect(costsOf({}, { billing })).toEqual({ least: 0n, likely: 0n, worst: 0n })
  })

  it('are one for media', () => {
    const task = { kind: 'speech', input: 'a', voice: 'v', format: null, speed: null, extras: {} } as const
    const media = { task, worst: { ...noUsage, media: { inputCharacters: 100 } } }
    const spoken = { ...price, base: parseUnitPrices({ per_character: '0.000015' }) }
    expect(costsOf({ media }, { price: spoken })).toEqual({ least: 1_500_000n, likely: 1_500_000n, worst: 1_500_000n })
  })
})
