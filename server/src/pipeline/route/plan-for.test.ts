import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { DialectCall } from '#dialects/dialect.ts'
import { noUsage } from '#domain/inference/usage.ts'
import type { MediaTask } from '#domain/media/media-task.ts'
import { parseUnitPrices } from '#domain/money/price-list.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { planFor } from './plan-for.ts'

const rest = { explanation: { candidates: [], excluded: [], autoTier: null }, conversation: 'talk' }

function candidateOf(change: Partial<Candidate> = {}, contextLength: number | null = null): Candidate {
  const [candidate] = testTicket().plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  return { ...candidate, model: { ...candidate.model, contextLength }, ...change }
}

// Ten prompt tokens cost 1,000 nano-dollars each, and an output token 2,000.
const callOf = (change: Partial<DialectCall>): DialectCall => ({ ...testTicket().plan.call, ...change })
const planOf = (call: Partial<DialectCall>, candidates = [candidateOf()]) => planFor(callOf(call), candidates, rest)

const document = { stream: false }
const thinking = (tokens: number) => ({ body: { reasoning: { max_tokens: tokens } } })
const unseen = {
  id: 'p',
  base: parseUnitPrices({ prompt: '0.000001', completion: '0.000002', reasoning: '0.000007' }),
  tiers: [],
}

describe('a plan for a capped call', () => {
  it('[HOLD-10] holds its cap for every choice, and does not grow', () => {
    const candidates = [candidateOf()]
    const call = callOf({ maxTokens: 100, choiceCount: 3 })
    expect(planFor(call, candidates, rest)).toEqual({
      call,
      candidates,
      heldTokens: 300,
      amount: 610_000n,
      estimate: 610_000n,
      isOpenEnded: false,
      isBilled: true,
      ...rest,
    })
  })

  it.each([
    ['a stream as 1,024 tokens', { maxTokens: 50_000 }, 2_058_000n],
    ['each choice of it', { maxTokens: 50_000, choiceCount: 2 }, 4_106_000n],
    ['a document as 4,096 tokens', { maxTokens: 50_000, ...document }, 8_202_000n],
  ])('with a high cap counts in breakers like one without: %s', (_name, call, estimate) => {
    expect(planOf(call).estimate).toBe(estimate)
  })

  it('adds the room for thinking to the cap', () => {
    expect(planOf({ maxTokens: 100, ...thinking(2_000) })).toMatchObject({ heldTokens: 2_100, amount: 4_210_000n })
  })
})

describe('a plan for a call without a cap', () => {
  it('[HOLD-12] opens a stream with 1,024 tokens and lets it grow to what the model makes', () => {
    expect(planOf({})).toMatchObject({
      heldTokens: 1_024,
      amount: 2_058_000n,
      estimate: 2_058_000n,
      isOpenEnded: true,
      // 131,072 tokens, because the model states no maximum.
      growth: { wish: 262_154_000n, comfort: null },
    })
  })

  it('[HOLD-11] holds 4,096 tokens for a document, and would hold more at once', () => {
    expect(planOf(document)).toMatchObject({
      heldTokens: 4_096,
      amount: 8_202_000n,
      isOpenEnded: true,
      growth: { wish: 262_154_000n, comfort: 8_202_000n },
    })
  })

  it("[HOLD-11] holds the model's maximum for a document where that is less", () => {
    expect(planOf(document, [candidateOf({ maxCompletionTokens: 500 })])).toMatchObject({
      heldTokens: 500,
      amount: 1_010_000n,
      growth: { wish: 1_010_000n, comfort: 1_010_000n },
    })
  })

  it('goes by the candidate that makes most', () => {
    const candidates = [500, 700, 600].map((maxCompletionTokens) => candidateOf({ maxCompletionTokens }))
    expect(planOf(document, candidates)).toMatchObject({ heldTokens: 700, growth: { wish: 1_410_000n } })
  })

  it('wishes for no more than models usually make, whatever one states', () => {
    expect(planOf({}, [candidateOf({}, 1_000_000)]).growth).toEqual({ wish: 262_154_000n, comfort: null })
    expect(planOf({}, [candidateOf({}, 3_000)]).growth).toEqual({ wish: 6_010_000n, comfort: null })
  })

  it('counts all choices', () => {
    expect(planOf({ ...document, choiceCount: 2 }, [candidateOf({ maxCompletionTokens: 500 })])).toMatchObject({
      heldTokens: 1_000,
      amount: 2_010_000n,
      growth: { wish: 2_010_000n, comfort: 2_010_000n },
    })
  })

  it('holds for a stream that reasons unseen as for a document', () => {
    const growth = planOf({}, [candidateOf({ price: unseen }), candidateOf()]).growth
    // 4,096 and 131,072 tokens, all of which may be reasoning.
    expect(growth).toEqual({ wish: 917_514_000n, comfort: 28_682_000n })
  })

  it.each([
    ['a stream', {}, 2_000, 3_024],
    ['a document with room enough', document, 2_000, 4_096],
    ['a document', document, 5_000, 9_096],
  ])('adds the room for thinking: %s', (_name, call, budget, heldTokens) => {
    expect(planOf({ ...call, ...thinking(budget) }).heldTokens).toBe(heldTokens)
  })

  it('takes the room for thinking into what is comfortable', () => {
    expect(planOf({ ...document, ...thinking(5_000) }).growth).toMatchObject({ comfort: 18_202_000n })
  })
})

describe('a plan that costs nothing here', () => {
  it.each(['own_key', 'free', 'test'] as const)('reserves nothing: %s', (billing) => {
    const plan = planOf({}, [candidateOf({ billing })])
    expect(plan).toMatchObject({ heldTokens: 1_024, amount: 0n, estimate: 0n, isOpenEnded: false, isBilled: false })
    expect(plan).not.toHaveProperty('growth')
  })

  it('is not one where any candidate charges', () => {
    expect(planOf({}, [candidateOf({ billing: 'own_key' }), candidateOf()])).toMatchObject({
      amount: 2_058_000n,
      isBilled: true,
      isOpenEnded: true,
    })
  })
})

describe('a plan for media', () => {
  it('holds what they may come to, and no tokens', () => {
    const task: MediaTask = { kind: 'speech', input: 'a', voice: 'v', format: null, speed: null, extras: {} }
    const price = { id: 'p', base: parseUnitPrices({ per_character: '0.000015' }), tiers: [] }
    const worst = { ...noUsage, media: { inputCharacters: 100 } }
    const plan = planOf({ media: { task, worst } }, [candidateOf({ price })])
    expect(plan).toMatchObject({ heldTokens: 0, amount: 1_500_000n, estimate: 1_500_000n, isOpenEnded: false })
    expect(plan).not.toHaveProperty('growth')
  })
})

describe('the estimate of a plan', () => {
  const tokens = fc.integer({ min: 0, max: 300_000 })
  const price = fc.integer({ min: 0, max: 100_000 }).map((nano) => `0.${String(nano).padStart(9, '0')}`)
  const units = fc.record(
    {
      prompt: price,
      completion: price,
      cache_write: price,
      cache_write_1h: price,
      reasoning: price,
      per_request: price,
    },
    { requiredKeys: ['prompt', 'completion'] },
  )
  const list = fc.record({ base: units, tier: fc.option(fc.tuple(tokens, units)) }).map(({ base, tier }) => ({
    id: 'p',
    base: parseUnitPrices(base),
    tiers: tier === null ? [] : [{ abovePromptTokens: tier[0], prices: parseUnitPrices({ ...base, ...tier[1] }) }],
  }))
  const candidate = fc
    .record({
      price: list,
      maxCompletionTokens: fc.option(fc.integer({ min: 1, max: 200_000 })),
      billing: fc.constantFrom('charged' as const, 'charged' as const, 'free' as const, 'own_key' as const),
    })
    .map((change) => candidateOf(change))
  const call = fc.record({
    stream: fc.boolean(),
    maxTokens: fc.option(tokens),
    choiceCount: fc.integer({ min: 1, max: 8 }),
    promptTokensEstimate: tokens,
    promptTokensHeld: tokens,
    body: fc.oneof(
      fc.constant({}),
      tokens.map((budget) => ({ reasoning: { max_tokens: budget } })),
    ),
  })

  it('never exceeds what is held', () => {
    fc.assert(
      fc.property(call, fc.array(candidate, { minLength: 1, maxLength: 4 }), (change, candidates) => {
        const { amount, estimate } = planOf(change, candidates)
        expect(estimate).toBeLessThanOrEqual(amount)
      }),
    )
  })
})
