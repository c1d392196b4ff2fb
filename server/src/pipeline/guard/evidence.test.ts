import { describe, expect, it } from 'vitest'
import { asGatewayError } from '#errors/gateway-error.ts'
import type { BlockedVerdict, Evidence, Moderation } from '#ports/moderation.ts'
import { testTicket, wantedModel } from '#test/streams/test-ticket.ts'
import { type ContentModerationDeps, createContentModeration } from './moderate-content.ts'

const blocked: BlockedVerdict = {
  allowed: false,
  source: 'upstream',
  categories: ['violence', 'hate'],
  place: { text: 0, start: 0 },
}

function startModeration(review: Moderation['review'], special: Partial<ContentModerationDeps> = {}) {
  const kept: Evidence[] = []
  const lost: unknown[] = []
  const down: unknown[] = []
  const ticket = testTicket()
  const moderate = createContentModeration({
    moderation: { review },
    whenDown: 'refuse',
    evidence: { keep: async (evidence) => void kept.push(evidence) },
    evidenceDays: 30,
    onBlocked: () => {},
    onDown: (error) => down.push(error),
    onLost: (error) => lost.push(error),
    ...special,
  })
  const ask = (content = 'words', requestId?: string) => {
    const call = { ...ticket.plan.call, body: { messages: [{ role: 'user', content }] } }
    const replyHeaders = requestId === undefined ? {} : { 'x-request-id': requestId }
    const arrival = { ...ticket.arrival, receivedAtMs: 1_000, replyHeaders }
    return moderate({ arrival, principal: ticket.principal, call, wanted: wantedModel }, call)
  }
  const refusal = async (requestId?: string) => {
    try {
      await ask('words', requestId)
    } catch (error) {
      return asGatewayError(error)
    }
    return expect.fail('the prompt was let through')
  }
  return { ask, refusal, kept, lost, down, ticket }
}

describe('a prompt that moderation blocks', () => {
  it('is refused without its category; the log has all of them', async () => {
    expect(await startModeration(() => blocked).refusal()).toMatchObject({
      errorName: 'contentFilter',
      message: 'This prompt was blocked by moderation. It was not sent to any model, and nothing was charged.',
      inside: 'moderation (upstream): violence, hate',
    })
  })

  it('is kept as evidence for so many days', async () => {
    const { refusal, kept, ticket } = startModeration(async () => blocked)
    await refusal('req-1')
    const { keyId, userId } = ticket.principal
    expect(kept).toEqual([
      {
        id: ticket.arrival.generationId,
        atMs: 1_000,
        expiresAtMs: 2_592_001_000,
        keyId,
        userId,
        organizationId: null,
        sessionId: null,
        requestId: 'req-1',
        endpoint: 'chat',
        model: 'acme/model',
        source: 'upstream',
        categories: ['violence', 'hate'],
        content: { isPartial: false, parts: [{ text: 0, start: 0, content: 'words' }] },
      },
    ])
  })

  it('is kept without a request id where there is none', async () => {
    const { refusal, kept } = startModeration(() => blocked)
    await refusal()
    expect(kept).toMatchObject([{ requestId: null }])
  })

  it('is refused all the same where its evidence can not be written', async () => {
    const full = new Error('disk full')
    const { refusal, lost } = startModeration(() => blocked, { evidence: { keep: async () => Promise.reject(full) } })
    expect((await refusal()).errorName).toBe('contentFilter')
    expect(lost).toEqual([full])
  })
})

describe('a moderation that is down', () => {
  it.each([
    ['an error', new Error('away'), 'away'],
    ['anything else', 'gone', 'gone'],
  ])('refuses for a few seconds: %s', async (_name, cause, inside) => {
    const { refusal, down } = startModeration(async () => Promise.reject(cause))
    expect(await refusal()).toMatchObject({
      errorName: 'moderationUnavailable',
      message: 'Moderation is temporarily unavailable, so this prompt was not sent. Retry shortly.',
      inside,
      retryAfterS: 5,
    })
    expect(down).toEqual([cause])
  })
})

it('asks nothing where there are no words', () => {
  const { ticket } = startModeration(() => blocked)
  const moderate = createContentModeration({
    moderation: { review: () => expect.fail('nothing is to be judged') },
    whenDown: 'refuse',
    evidence: { keep: async () => {} },
    evidenceDays: 1,
    onBlocked: () => {},
    onDown: () => {},
    onLost: () => {},
  })
  const call = { ...ticket.plan.call, body: { messages: [] } }
  const { arrival, principal } = ticket
  expect(moderate({ arrival, principal, call, wanted: wantedModel }, call)).toBeUndefined()
})
