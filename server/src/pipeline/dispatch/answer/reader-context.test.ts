import { describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { publicGenerationId } from '#domain/ledger/generation-id.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { readerContextOf } from './reader-context.ts'

const limits = { frameBytesMax: 10, answerBytesMax: 20 }
const usage = { ...noUsage, uncachedInput: 3, textOutput: 2 }

function candidateOf(change: Partial<Candidate> = {}): Candidate {
  const [candidate] = testTicket().plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  return { ...candidate, ...change }
}

describe('what is written into every answer', () => {
  it('names the generation, the second of its arrival, and our model in place of the upstream’s', () => {
    const made = testTicket()
    const ticket = { ...made, arrival: { ...made.arrival, receivedAtMs: 1_800_000_000_999 } }
    expect(readerContextOf(ticket, candidateOf({ upstreamModel: 'theirs' }), limits)).toEqual({
      id: publicGenerationId(ticket.arrival.generationId),
      createdS: 1_800_000_000,
      model: 'acme/model',
      requestBody: {},
      excludeReasoning: false,
      ...limits,
    })
  })

  it.each([
    { reasoning: { exclude: true }, excluded: true },
    { reasoning: { exclude: false }, excluded: false },
    { reasoning: { effort: 'low' }, excluded: false },
    { reasoning: 'exclude', excluded: false },
  ])('leaves reasoning out only when the client says so: $reasoning', ({ reasoning, excluded }) => {
    const { call } = testTicket().plan
    const ticket = testTicket({ call: { ...call, body: { reasoning } } })
    expect(readerContextOf(ticket, candidateOf(), limits).excludeReasoning).toBe(excluded)
  })
})

describe('what the provider bills', () => {
  it('is told of own keys alone, by our list', () => {
    const context = readerContextOf(testTicket(), candidateOf({ billing: 'own_key' }), limits)
    expect(context.upstreamCostOf?.(usage)).toBe(7_000n)
    for (const billing of ['charged', 'free', 'test'] as const) {
      expect(readerContextOf(testTicket(), candidateOf({ billing }), limits)).not.toHaveProperty('upstreamCostOf')
    }
  })

  it('is unknown where the list has no price', () => {
    const { price } = candidateOf()
    const unpriced = candidateOf({ billing: 'own_key', price: { ...price, base: {} } })
    expect(readerContextOf(testTicket(), unpriced, limits).upstreamCostOf?.(usage)).toBeNull()
  })
})
