import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { completionTokensOf, noUsage } from '#domain/inference/usage.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { holdFor } from '../hold-for.ts'
import { judge } from './settle.ts'
import { withinAskedCap } from './within-asked-cap.ts'

const { plan } = testTicket()
const [first] = plan.candidates
assert(first !== undefined, 'the ticket has a candidate')
const chat: Candidate = { ...first, account: { ...first.account, vendor: 'openai' } }
const responses: Candidate = { ...chat, api: 'responses' }
const planWith = (maxTokens: number | null) => ({ ...plan, call: { ...plan.call, maxTokens } })

const usages = fc
  .record({ textOutput: fc.nat(40), reasoningOutput: fc.nat(40), uncachedInput: fc.nat(10) })
  .map((counts) => ({ ...noUsage, ...counts }))

it('nothing is charged beyond the cap of a client that is below the least of Responses, and the hold covers it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 15 }), usages, (cap, usage) => {
      const capped = planWith(cap)
      const charged = withinAskedCap(usage, capped, responses)
      expect(completionTokensOf(charged)).toBe(Math.min(cap, completionTokensOf(usage)))
      expect(charged.uncachedInput).toBe(usage.uncachedInput)
      const answer = { usage, finishReason: null, nativeFinishReason: null }
      const outcome = { kind: 'answered', answer, candidate: responses } as unknown as Parameters<typeof judge>[0]
      const { charge, absorbed } = judge(outcome, { plan: capped })
      expect(charge.cost).toBeLessThanOrEqual(holdFor([responses], capped.call, cap))
      const whole = judge(outcome, { plan: planWith(null) }).charge.cost
      expect(charge.cost + absorbed).toBe(whole)
    }),
  )
})

it('a cap that the host was told as it is cuts nothing, nor does another protocol or no cap', () => {
  fc.assert(
    fc.property(fc.integer({ min: 16, max: 60 }), fc.integer({ min: 1, max: 60 }), usages, (high, any, usage) => {
      expect(withinAskedCap(usage, planWith(high), responses)).toBe(usage)
      expect(withinAskedCap(usage, planWith(any), chat)).toBe(usage)
      expect(withinAskedCap(usage, planWith(null), responses)).toBe(usage)
    }),
  )
})

it('all that was made is charged once the wallet has exceeded its daily limit of unpaid costs', () => {
  const usage = { ...noUsage, textOutput: 16 }
  expect(withinAskedCap(usage, planWith(1), responses).textOutput).toBe(1)
  expect(withinAskedCap(usage, { ...planWith(1), reservesMost: true }, responses)).toBe(usage)
})

it.each([
  // A cap of 4 for each of three choices is 12 for the response.
  ['all that was made within the cap of each choice', 3, 12, 12],
  ['the cap of each choice', 3, 13, 12],
  ['the cap of the only choice', 1, 13, 4],
])('charges %s', (_what, choiceCount, made, charged) => {
  const capped = { ...plan, call: { ...plan.call, maxTokens: 4, choiceCount } }
  const usage = { ...noUsage, textOutput: made }
  expect(completionTokensOf(withinAskedCap(usage, capped, responses))).toBe(charged)
})

it('keeps the report itself where nothing is beyond the cap', () => {
  const usage = { ...noUsage, textOutput: 4 }
  expect(withinAskedCap(usage, planWith(4), responses)).toBe(usage)
})

it('cuts nothing of media, which have no cap in tokens', () => {
  const media = { task: { kind: 'speech' }, worst: {} } as unknown as NonNullable<typeof plan.call.media>
  const usage = { ...noUsage, textOutput: 40 }
  expect(withinAskedCap(usage, { call: { ...plan.call, maxTokens: 4, media } }, responses)).toBe(usage)
})

/** Output of an upstream that received a higher cap than the client's 4 tokens. */
function judged(usage: Parameters<typeof withinAskedCap>[0] | null) {
  const answer = { usage, finishReason: null, nativeFinishReason: null }
  const outcome = { kind: 'answered', answer, candidate: responses } as unknown as Parameters<typeof judge>[0]
  return judge(outcome, { plan: planWith(4) })
}

it('charges the cap of the client at its price, and absorbs the rest', () => {
  // A prompt token costs 1,000 nano-USD, and an output token 2,000.
  expect(judged({ ...noUsage, uncachedInput: 3, textOutput: 10 })).toMatchObject({
    charge: { cost: 3_000n + 8_000n },
    absorbed: 12_000n,
    refundReason: null,
    usageDoubted: false,
  })
})

it('charges nothing where no usage is reported', () => {
  expect(judged(null)).toMatchObject({ charge: { cost: 0n }, absorbed: 0n, refundReason: expect.any(String) })
})
