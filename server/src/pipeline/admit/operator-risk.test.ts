import { describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { holdFor } from '../hold-for.ts'
import type { Plan } from '../types.ts'
import { riskOf } from './operator-risk.ts'
import { holdMost } from './reserve-most.ts'

const trusted = { has: () => false }
const distrusted = { has: () => true }

/** A prompt token costs 1,000 nano-dollars, and an output token costs 2,000. */
function planOf(
  change: Partial<Plan> = {},
  text: { promptTokensHeld: number; promptTokensMax?: number } = small,
): Plan {
  const { plan } = testTicket()
  const [candidate] = plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  const candidates = [{ ...candidate, model: { ...candidate.model, contextLength: 50_000 }, maxCompletionTokens: 700 }]
  const call = { ...plan.call, ...text }
  return { ...plan, candidates, call, amount: holdFor(candidates, call, plan.heldTokens), ...change }
}

const small = { promptTokensHeld: 10, promptTokensMax: 40 }

describe('what a request may cost beyond its hold', () => {
  it('is what its text and the words of an upstream may count for, where the upstream keeps to its cap', () => {
    // 30 tokens more than the hold covers, and 128 that the upstream may add.
    expect(riskOf(planOf(), trusted).amount).toBe(158_000n)
  })

  it('is covered by a hold that still grows', () => {
    const growth = { wish: nanoUsd(9_000_000n), comfort: nanoUsd(8_000_000n) }
    const plan = planOf({ growth, isOpenEnded: true })
    const covered = riskOf(plan, trusted).covered()
    expect(covered).toMatchObject({
      amount: plan.amount + 158_000n,
      growth: { wish: 9_158_000n, comfort: 8_158_000n },
      isOpenEnded: true,
      reservesExactly: true,
    })
    expect(riskOf(planOf({ growth: { ...growth, comfort: null } }), trusted).covered().growth?.comfort).toBe(null)
  })

  it('is up to the maximum cost of the model where the upstream has ignored its cap', () => {
    const plan = planOf()
    const { amount, covered } = riskOf(plan, distrusted)
    expect(covered()).toEqual(holdMost(plan))
    expect(amount).toBe(holdMost(plan).amount - plan.amount)
  })

  it('does not depend on candidates that charge nothing', () => {
    const plan = planOf()
    const candidates = plan.candidates.map((each) => ({ ...each, billing: 'own_key' as const }))
    expect(riskOf({ ...plan, candidates }, distrusted).covered().heldTokens).toBe(plan.heldTokens)
  })

  it('is nothing where the hold fills the context', () => {
    const plan = planOf({}, { promptTokensHeld: 50_000 })
    expect(riskOf(plan, trusted).amount).toBe(0n)
  })
})
