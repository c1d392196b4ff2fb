import { describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import type { SpeechTask } from '#domain/media/media-task.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { DialectCall } from '#dialects/dialect.ts'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Plan, Ticket } from '../types.ts'
import { tokenBoundsOf } from './token-bounds-of.ts'

function boundsOf(contextLength: number | null, call: Partial<DialectCall>, change: Partial<Plan & Ticket> = {}) {
  return boundsAt('openai', contextLength, call, change)
}

function boundsAt(
  vendor: string,
  contextLength: number | null,
  call: Partial<DialectCall>,
  change: Partial<Plan & Ticket> = {},
) {
  const { plan } = testTicket()
  const [first] = plan.candidates
  assert(first !== undefined, 'the ticket has a candidate')
  const candidate = { ...first, account: { ...first.account, vendor } }
  const ticket = { ...testTicket({ call: { ...plan.call, ...call }, ...change }), ...change }
  return tokenBoundsOf(ticket, { ...candidate, model: { ...candidate.model, contextLength } })
}

describe('what bounds the tokens of a request', () => {
  it('is not known of a model that states no context', () => {
    expect(boundsOf(null, { maxTokens: 100 })).toBeNull()
  })

  it('is not known of media', () => {
    const task: SpeechTask = { kind: 'speech', input: 'a', voice: 'v', format: null, speed: null, extras: {} }
    expect(boundsOf(8_000, { maxTokens: 100, media: { task, worst: noUsage } })).toBeNull()
  })

  it('is how often the prompt is read, where an upstream searches for the answer', () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }]
    const { body } = testTicket().plan.call
    expect(boundsAt('anthropic', 8_000, { body: { ...body, tools } })).toMatchObject({ turns: 4, searchesTold: 3 })
    expect(boundsAt('anthropic', 8_000, {})).not.toHaveProperty('turns')
  })

  it('is the cap for each choice, and the context', () => {
    const bounds = boundsOf(8_000, { maxTokens: 100, choiceCount: 3 }, { isOpenEnded: false })
    expect(bounds).toEqual({ outputTokensMax: 300, contextLength: 8_000, choiceCount: 3, searchesTold: null })
  })

  it('is what the upstream was told where the client set no cap', () => {
    // Ten prompt tokens cost 10,000 nano-dollars; the rest pays for 500 tokens at 2,000 each, 250 for each of two
    // choices.
    const payable = nanoUsd(10_000n + 500n * 2_000n)
    const bounds = boundsOf(8_000, { choiceCount: 2 }, { payable })
    expect(bounds).toEqual({ outputTokensMax: 500, contextLength: 8_000, choiceCount: 2, searchesTold: null })
  })

  it('is what the model can make where it stops before the money does', () => {
    const bounds = boundsOf(8_000, { choiceCount: 2 }, { payable: nanoUsd(1_000_000_000n) })
    expect(bounds).toEqual({ outputTokensMax: 16_000, contextLength: 8_000, choiceCount: 2, searchesTold: null })
  })

  it('[M2] is the number of searches that Claude was told, and none that Perplexity could be told', () => {
    const tools = [{ type: 'web_search_20250305', name: 'web_search', max_uses: 3 }]
    expect(boundsAt('anthropic', 8_000, { maxTokens: 1, body: { tools } })).toMatchObject({ searchesTold: 3 })
    expect(boundsAt('anthropic', 8_000, { maxTokens: 1, body: {} })).toMatchObject({ searchesTold: null })
    expect(boundsAt('perplexity', 8_000, { maxTokens: 1, body: { tools } })).toMatchObject({ searchesTold: null })
  })
})
