import { describe, expect, it } from 'vitest'
import { noUsage, type Usage } from '#domain/inference/usage.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Judged, Ticket } from '../types.ts'
import { findDoubt } from './doubted-usage.ts'

/**
 * Two choices of at most 300 tokens each, of a model that reads 1,000 tokens and writes at most 400. A prompt token
 * costs 1,000 nano-USD, and an output token 2,000.
 */
function twoChoices(): Ticket {
  const { candidates, call } = testTicket().plan
  const small = candidates.map((each) => ({
    ...each,
    maxCompletionTokens: 400,
    model: { ...each.model, contextLength: 1_000 },
  }))
  return testTicket({ candidates: small, call: { ...call, maxTokens: 300, choiceCount: 2 }, isOpenEnded: false })
}

function answered(ticket: Ticket, usage: Usage | null, deliveredTokens: number): Judged {
  const [candidate] = ticket.plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  return {
    outcome: {
      kind: 'answered',
      candidate,
      status: 200,
      answer: { usage, finishReason: 'stop', nativeFinishReason: null },
      cancelled: false,
      deliveredTokens: () => deliveredTokens,
    },
    charge: { cost: zeroUsd, cacheDiscount: zeroUsd },
    refundReason: null,
    absorbed: zeroUsd,
    usageDoubted: false,
  }
}

describe('a report of more than two choices can have used', () => {
  it.each([
    ['the cap of both, and all that was counted', 1_500, 700, 0, 1_500_000n + 1_200_000n, 1_500_000n + 1_400_000n],
    ['at most what the model can write', 1_500, 900, 0, 1_500_000n + 1_200_000n, 1_500_000n + 1_600_000n],
    ['what was delivered beyond the cap', 1_500, 900, 650, 1_500_000n + 1_300_000n, 1_500_000n + 1_600_000n],
    ['a prompt that fills both contexts', 2_000, 700, 0, 2_000_000n + 1_200_000n, 2_000_000n + 1_400_000n],
  ])('costs %s', (_what, uncachedInput, textOutput, seen, delivered, possible) => {
    const ticket = twoChoices()
    const usage = { ...noUsage, uncachedInput, textOutput }
    expect(findDoubt(ticket, answered(ticket, usage, seen))).toEqual({ delivered, possible })
  })

  it('costs the prompt as it was measured where more was counted than both contexts hold', () => {
    const ticket = twoChoices()
    const { promptTokensHeld } = ticket.plan.call
    const usage = { ...noUsage, uncachedInput: 2_001 }
    expect(findDoubt(ticket, answered(ticket, usage, 0))).toEqual({
      delivered: BigInt(promptTokensHeld) * 1_000n,
      possible: 2_000_000n,
    })
  })

  it.each([
    ['fills both contexts', { ...noUsage, uncachedInput: 2_000 }],
    ['fills both caps with their frames', { ...noUsage, textOutput: 632 }],
    ['is missing', null],
  ])('is none that %s', (_what, usage) => {
    const ticket = twoChoices()
    expect(findDoubt(ticket, answered(ticket, usage, 0))).toBeNull()
  })
})
