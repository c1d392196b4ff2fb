import { expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Plan } from '../types.ts'
import { reserveMost } from './reserve-most.ts'

/** A prompt token costs 1,000 nano-dollars, and an output token costs 2,000. */
function planOf(contextLength: number | null, maxCompletionTokens: number | null, change: Partial<Plan> = {}): Plan {
  const { plan } = testTicket()
  const [candidate] = plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  const model = { ...candidate.model, contextLength }
  return { ...plan, candidates: [{ ...candidate, model, maxCompletionTokens }], ...change }
}

it.each([
  ['its context and its max output tokens', 5_000, 700, 1, 700, 5_000_000n + 1_400_000n],
  ['twice its context where it states no max output tokens', 5_000, null, 1, 5_000, 5_000_000n + 10_000_000n],
  ['what is usual where it states nothing', null, null, 1, 131_072, 1_048_576_000n + 262_144_000n],
  ['as much again for each choice', 5_000, 700, 3, 2_100, 19_200_000n],
])('C4: reserves %s', (_name, context, output, choices, tokens, amount) => {
  const { call } = testTicket().plan
  const plan = planOf(context, output, { call: { ...call, maxTokens: 1, choiceCount: choices } })
  const most = reserveMost({ ...plan, growth: { wish: plan.amount, comfort: null }, isOpenEnded: true })
  expect(most).toMatchObject({ amount, heldTokens: tokens, reservesMost: true, isOpenEnded: false })
  expect(most).not.toHaveProperty('growth')
})

it('never reserves less than before', () => {
  const plan = planOf(5, 5)
  expect(reserveMost(plan).amount).toBe(plan.amount)
})

it('leaves what media hold as it is if it is exact', () => {
  const plan = planOf(5_000, 700)
  const media = { task: { kind: 'speech' }, worst: noUsage } as unknown as NonNullable<Plan['call']['media']>
  const made = { ...plan, call: { ...plan.call, media } }
  expect(reserveMost(made)).toMatchObject({ amount: plan.amount, heldTokens: plan.heldTokens, reservesMost: true })
})

it('reserves for the candidate with the highest max output tokens', () => {
  const [one, other] = [planOf(5_000, 700), planOf(5_000, 900)]
  for (const candidates of [
    [...one.candidates, ...other.candidates],
    [...other.candidates, ...one.candidates],
  ]) {
    expect(reserveMost({ ...one, candidates })).toMatchObject({ amount: 5_000_000n + 1_800_000n, heldTokens: 900 })
  }
})
