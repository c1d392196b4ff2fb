import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DialectCall } from '#dialects/dialect.ts'
import { noUsage } from '#domain/inference/usage.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { planFor } from './plan-for.ts'
import { withinMaxCost } from './within-max-cost.ts'

const rest = { explanation: { candidates: [], excluded: [], autoTier: null }, conversation: null }

/** Ten prompt tokens cost 1,000 nano-dollars each, an output token 2,000 or this much. */
function candidateOf(vendor: string, change: Partial<Candidate> & { output?: string } = {}): Candidate {
  const [candidate] = testTicket().plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  const { output = '0.000002', ...changed } = change
  const price = { id: vendor, base: parseUnitPrices({ prompt: '0.000001', completion: output }), tiers: [] }
  return { ...candidate, account: { ...candidate.account, vendor }, price, ...changed }
}

function boundPlan(maxCost: bigint, candidates: readonly Candidate[], change: Partial<DialectCall> = {}) {
  const call = { ...testTicket().plan.call, ...change }
  return withinMaxCost(planFor(call, candidates, { ...rest, maxCost: nanoUsd(maxCost) }))
}

const summary = ({ candidates, call, amount, explanation }: ReturnType<typeof boundPlan>) => ({
  vendors: candidates.map(({ account }) => account.vendor),
  cap: call.maxTokens,
  amount,
  excluded: explanation.excluded.map(({ provider, rule }) => `${provider}: ${rule}`),
})

function speaker(vendor: string, price: string): Candidate {
  return candidateOf(vendor, { price: { id: vendor, base: parseUnitPrices({ per_character: price }), tiers: [] } })
}

const cheap = candidateOf('cheap')
const dear = candidateOf('dear', { output: '0.000004' })

describe('a call with a maximum cost', () => {
  it('stays as it is where that is enough, and where there is none', () => {
    const candidates = [cheap, dear]
    const call = { ...testTicket().plan.call, maxTokens: 100 }
    const plan = planFor(call, candidates, { ...rest, maxCost: nanoUsd(410_000n) })
    expect(withinMaxCost(plan)).toBe(plan)
    const free = planFor(call, candidates, rest)
    expect(withinMaxCost(free)).toBe(free)
  })

  it.each([
    ['leaves out who costs more', 409_999n, [dear, cheap], ['cheap'], 100, 210_000n, ['dear: max_cost']],
    ['caps the output where all cost more', 209_999n, [cheap, dear], ['cheap'], 99, 208_000n, ['dear: max_cost']],
    ['goes by who comes first', 209_999n, [dear, cheap], ['dear', 'cheap'], 49, 206_000n, []],
    ['skips who cannot even begin', 13_999n, [dear, cheap], ['cheap'], 1, 12_000n, ['dear: max_cost']],
    ['allows a single token', 12_000n, [cheap], ['cheap'], 1, 12_000n, []],
  ] as const)('that has a cap %s', (_what, maxCost, candidates, vendors, cap, amount, excluded) => {
    const plan = boundPlan(maxCost, candidates, { maxTokens: 100 })
    expect(summary(plan)).toEqual({ vendors, cap, amount, excluded })
    expect(plan).toMatchObject({ isOpenEnded: false, maxCost })
  })

  it('caps each choice', () => {
    const plan = boundPlan(210_000n, [cheap], { maxTokens: 100, choiceCount: 4 })
    expect(summary(plan)).toMatchObject({ cap: 25, amount: 210_000n })
  })

  it('that has no cap gets one, and its whole hold at once', () => {
    const plan = boundPlan(2_058_000n, [cheap])
    expect(summary(plan)).toMatchObject({ cap: 1_024, amount: 2_058_000n })
    expect(plan).not.toHaveProperty('growth')
  })

  it('that has no cap gets none where its model stops before', () => {
    const short = candidateOf('short', { maxCompletionTokens: 2_000 })
    expect(summary(boundPlan(4_010_000n, [short]))).toMatchObject({ cap: null, amount: 2_058_000n })
    expect(summary(boundPlan(4_009_999n, [short]))).toMatchObject({ cap: 1_999, amount: 4_008_000n })
    const shorter = candidateOf('shorter', { maxCompletionTokens: 10 })
    expect(summary(boundPlan(2_057_999n, [shorter]))).toMatchObject({ cap: 1_023 })
  })

  it('that has no cap prefers who can create a usual output', () => {
    expect(summary(boundPlan(2_058_000n, [dear, cheap]))).toMatchObject({ vendors: ['cheap'], cap: 1_024 })
  })

  it('keeps its room for thinking whole, or is refused', () => {
    const body = { reasoning: { max_tokens: 2_000 } }
    expect(summary(boundPlan(4_210_000n, [cheap], { maxTokens: 100, body }))).toMatchObject({ cap: 100 })
    expect(() => boundPlan(4_209_999n, [cheap], { maxTokens: 100, body })).toThrow(
      'for at most $0.004209999: even the shortest response can cost $0.00421.',
    )
    expect(summary(boundPlan(4_210_000n, [cheap], { maxTokens: 3_000, body }))).toMatchObject({ cap: 2_100 })
    expect(() => boundPlan(4_010_000n, [cheap], { maxTokens: 3_000, body })).toThrow('can cost $0.004012.')
    expect(() => boundPlan(4_010_000n, [cheap], { body })).toThrow(GatewayError)
  })

  it('keeps candidates that charge nothing, in their place', () => {
    const own = candidateOf('own', { billing: 'own_key' })
    const plan = boundPlan(1n, [dear, own, cheap], { maxTokens: 100 })
    expect(summary(plan)).toEqual({
      vendors: ['own'],
      cap: 100,
      amount: 0n,
      excluded: ['dear: max_cost', 'cheap: max_cost'],
    })
    expect(summary(boundPlan(110_000n, [dear, own, cheap])).vendors).toEqual(['dear', 'own', 'cheap'])
  })

  it('is refused where the shortest response costs more, with what that costs', () => {
    expect(() => boundPlan(11_999n, [dear, cheap], { choiceCount: 1 })).toThrow(
      'No provider can serve this request for at most $0.000011999: even the shortest response can cost $0.000012.',
    )
  })

  it('for media leaves out who costs more, and is refused where all do', () => {
    const media = {
      task: { kind: 'speech', input: 'a', voice: 'v', format: null, speed: null, extras: {} } as const,
      worst: { ...noUsage, media: { inputCharacters: 100 } },
    }
    const voices = [speaker('dear', '0.00003'), speaker('cheap', '0.000015')]
    expect(summary(boundPlan(1_500_000n, voices, { media, maxTokens: 0 }))).toEqual({
      vendors: ['cheap'],
      cap: 0,
      amount: 1_500_000n,
      excluded: ['dear: max_cost'],
    })
    expect(() => boundPlan(1_499_999n, voices, { media, maxTokens: 0 })).toThrow('can cost $0.0015')
  })

  it('never holds more than that, and charges no candidate that it could not pay', () => {
    const candidate = fc
      .record({
        output: fc.integer({ min: 1, max: 90_000 }).map((nano) => `0.${String(nano).padStart(9, '0')}`),
        maxCompletionTokens: fc.option(fc.integer({ min: 1, max: 200_000 })),
        billing: fc.constantFrom('charged' as const, 'charged' as const, 'free' as const, 'own_key' as const),
      })
      .map(({ output, ...change }) => candidateOf(output, { output, ...change }))
    const call = fc.record({
      stream: fc.boolean(),
      maxTokens: fc.option(fc.integer({ min: 1, max: 300_000 })),
      isExact: fc.boolean(),
      choiceCount: fc.integer({ min: 1, max: 8 }),
      promptTokensEstimate: fc.constant(10),
      promptTokensHeld: fc.integer({ min: 0, max: 3_000 }),
      body: fc.oneof(
        fc.constant({}),
        fc.integer({ min: 0, max: 9_000 }).map((budget) => ({ reasoning: { max_tokens: budget } })),
      ),
    })
    const amount = fc.bigInt({ min: 1n, max: 3_000_000_000n })
    let served = 0
    fc.assert(
      fc.property(
        amount,
        call,
        fc.array(candidate, { minLength: 1, maxLength: 4 }),
        (maxCost, { isExact, ...change }, candidates) => {
          try {
            const plan = boundPlan(maxCost, candidates, isExact ? { ...change, holdsExactly: true } : change)
            served += 1
            expect(plan.amount).toBeLessThanOrEqual(maxCost)
            expect(plan.growth?.wish ?? 0n).toBeLessThanOrEqual(maxCost)
            expect(plan.call.maxTokens ?? 0).toBeLessThanOrEqual(change.maxTokens ?? Number.POSITIVE_INFINITY)
          } catch (error) {
            if (!(error instanceof GatewayError)) throw error
          }
        },
      ),
    )
    expect(served).toBeGreaterThan(20)
  })
})
