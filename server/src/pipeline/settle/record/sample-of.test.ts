import { describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import type { Attempt } from '#domain/ledger/generation-record.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import type { Billing } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Judged, Ticket } from '../../types.ts'
import { sampleOf } from './record.ts'

const attempt: Attempt = { model: 'acme/model', provider: 'openai', outcome: 'answered', status: 200, durationMs: 500 }

interface Change {
  stream?: boolean
  billing?: Billing
  attempts?: Attempt[]
  firstTokenAtMs?: number | null
  tokens?: number | null
}

function sampled(change: Change, nowMs: number) {
  const { stream = true, billing = 'charged', attempts = [attempt], firstTokenAtMs = 1_000, tokens = 30 } = change
  const { call, candidates } = testTicket().plan
  const ticket: Ticket = { ...testTicket({ call: { ...call, stream } }), attempts, firstTokenAtMs }
  const [candidate] = candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  const usage = tokens === null ? null : { ...noUsage, uncachedInput: 99, textOutput: tokens }
  const answer = { usage, finishReason: 'stop', nativeFinishReason: null }
  const judged: Judged = {
    outcome: { kind: 'answered', candidate: { ...candidate, billing }, status: 200, answer, cancelled: false },
    charge: { cost: zeroUsd, cacheDiscount: zeroUsd },
    refundReason: null,
    absorbed: zeroUsd,
    usageDoubted: false,
  }
  return { ticket, judged, sample: sampleOf(ticket, judged, nowMs) }
}

const host = { vendor: 'openai', model: 'acme/model' }

describe('what an answer tells about its host', () => {
  it('of a stream: the time to its first token, and its pace until the last', () => {
    // Half a second to the first token and one second more: 30 tokens in 1.5 s.
    expect(sampled({}, 2_000).sample).toEqual({ ...host, latencyMs: 500, tokensPerSecond: 20 })
  })

  it('of a document: its pace, and no latency', () => {
    expect(sampled({ stream: false }, 9_000).sample).toEqual({ ...host, latencyMs: null, tokensPerSecond: 60 })
  })

  it('[NEXT-106] of a document that could be hedged: its whole time, which streams do not tell', () => {
    const timed = (stream: boolean) => {
      const { ticket, judged } = sampled({ stream }, 2_000)
      return sampleOf({ ...ticket, plan: { ...ticket.plan, hedgeAfter: 'auto' } }, judged, 2_000)
    }
    expect(timed(false)).toEqual({ ...host, latencyMs: null, tokensPerSecond: 60, wholeMs: 500 })
    expect(timed(true)).not.toHaveProperty('wholeMs')
    expect(sampled({ stream: false }, 2_000).sample).not.toHaveProperty('wholeMs')
  })

  it('takes an answer that took no time for one of a millisecond', () => {
    const attempts = [{ ...attempt, durationMs: 0 }]
    expect(sampled({ attempts }, 1_000).sample).toEqual({ ...host, latencyMs: 0, tokensPerSecond: 30_000 })
  })

  it.each([0, null])('has no pace where %s tokens are known', (tokens) => {
    expect(sampled({ tokens }, 2_000).sample).toEqual({ ...host, latencyMs: 500, tokensPerSecond: null })
  })

  it.each([
    ['charged', true],
    ['free', true],
    ['own_key', false],
    ['test', false],
  ] as const)("is asked of the platform's own hosts alone: %s", (billing, isSampled) => {
    expect(sampled({ billing }, 2_000).sample !== null).toBe(isSampled)
  })

  it.each([
    ['nothing was attempted', { attempts: [] }],
    ['the last attempt failed', { attempts: [attempt, { ...attempt, outcome: 'failed' }] }],
    ['no token came', { firstTokenAtMs: null }],
  ])('is nothing where %s', (_name, change) => {
    expect(sampled(change, 2_000).sample).toBeNull()
  })

  it('is that of the last attempt', () => {
    const attempts = [{ ...attempt, outcome: 'failed', durationMs: 9_000 }, attempt]
    expect(sampled({ attempts }, 2_000).sample).toMatchObject({ latencyMs: 500 })
  })

  it('has no pace where the request was refunded, and is nothing where nobody served it', () => {
    const { ticket, judged } = sampled({}, 2_000)
    const { candidate, status, answer } = judged.outcome
    const refunded = { kind: 'refunded', reason: 'stream_interrupted', cancelled: false, error: null } as const
    const broken: Judged = { ...judged, outcome: { ...refunded, candidate, status, answer } }
    expect(sampleOf(ticket, broken, 2_000)).toEqual({ ...host, latencyMs: 500, tokensPerSecond: null })
    const unserved: Judged = { ...judged, outcome: { ...refunded, candidate: null, status, answer } }
    expect(sampleOf(ticket, unserved, 2_000)).toBeNull()
  })
})
