import { describe, expect, it } from 'vitest'
import type { DialectCall } from '#dialects/dialect.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { outputTokensMaxOf, statedTokensMax } from './output-tokens-max.ts'
import { cappedOutput, toldCap } from './told-cap.ts'
import type { Plan, Ticket } from './types.ts'

// Ten prompt tokens cost 1,000 nano-dollars each, and an output token 2,000.
const priceOf = (tokens: number): bigint => 10_000n + BigInt(tokens) * 2_000n

function ticketWith(payableTokens: number, change: Partial<Plan> = {}, choiceCount = 1): Ticket {
  const { call } = testTicket().plan
  const ticket = testTicket({ call: { ...call, choiceCount }, ...change })
  return { ...ticket, payable: nanoUsd(priceOf(payableTokens)) }
}

function candidateOf(offered: number | null, contextLength: number | null, change: Partial<Candidate> = {}): Candidate {
  const [candidate] = testTicket().plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  const model = { ...candidate.model, contextLength }
  return { ...candidate, maxCompletionTokens: offered, model, ...change }
}

describe('the cap that an upstream is told', () => {
  it.each([
    ['what can be paid for', 500, 1, null, null, 500],
    ['a share of it for each choice, rounded down', 500, 3, null, null, 166],
    ['one token at the least', 0, 1, null, null, 1],
    ['one token for each choice at the least', 1, 2, null, null, 1],
    ['nothing where the offer ends there', 500, 1, 500, null, null],
    ['one less than the offer can make', 499, 1, 500, null, 499],
    ['nothing where the context ends before', 501, 1, null, 500, null],
    ['what can be paid for within the context', 499, 1, null, 500, 499],
    ['nothing from 131,072 on where the model states nothing', 131_072, 1, null, null, null],
    ['what can be paid for below that', 131_071, 1, null, null, 131_071],
  ])('is %s', (_name, payableTokens, choiceCount, offered, context, told) => {
    expect(toldCap(ticketWith(payableTokens, {}, choiceCount), candidateOf(offered, context))).toBe(told)
  })

  it('[P21] is not set by the gateway where the client set one', () => {
    expect(toldCap(ticketWith(500, { isOpenEnded: false }), candidateOf(null, null))).toBeNull()
  })

  it.each(['free', 'own_key', 'test'] as const)('is not set where nobody pays here: %s', (billing) => {
    expect(toldCap(ticketWith(500), candidateOf(null, null, { billing }))).toBeNull()
  })
})

describe('the output that a capped upstream makes at most, all choices together', () => {
  it.each([
    ['the told cap', 500, 2, null, null, 500],
    ['what the offer makes', 5_000, 2, 700, 900, 1_400],
    ['what the context takes', 5_000, 2, null, 900, 1_800],
    ['131,072 for each choice where nothing is stated', 400_000, 2, null, null, 262_144],
  ])('is %s', (_name, payableTokens, choiceCount, offered, context, most) => {
    expect(cappedOutput(ticketWith(payableTokens, {}, choiceCount), candidateOf(offered, context))).toBe(most)
  })
})

const callOf = (change: Partial<DialectCall>): DialectCall => ({ ...testTicket().plan.call, ...change })

describe('the most output tokens of one choice', () => {
  it.each([
    ["the client's cap", { maxTokens: 300 }, 700, 300],
    ['the cap with room for thinking', { maxTokens: 300, body: { reasoning: { max_tokens: 2_000 } } }, 700, 2_300],
    ['what the offer makes without a cap', {}, 700, 700],
    ['as good as endless where nothing is stated', {}, null, 9_007_199_254_740_991],
  ])('is %s', (_name, change, offered, most) => {
    expect(outputTokensMaxOf(callOf(change), candidateOf(offered, null))).toBe(most)
  })

  it('is what the offer states, else the context, else unknown', () => {
    expect(statedTokensMax(candidateOf(700, 900))).toBe(700)
    expect(statedTokensMax(candidateOf(null, 900))).toBe(900)
    expect(statedTokensMax(candidateOf(null, null))).toBeNull()
  })
})
