import { describe, expect, it } from 'vitest'
import { testPayer } from '#test/streams/test-ticket.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { scriptedServing } from '#test/streams/scripted-serving.ts'
import type { Answer } from '../types.ts'
import type { AttemptResult, StreamEnd } from './attempt/attempt.ts'

const answer: Answer = { usage: null, finishReason: 'stop', nativeFinishReason: 'stop' }
const close = (cost: bigint) => `cost ${cost}`
const error = new GatewayError('upstreamUnavailable', { message: 'It failed.', inside: 'why' })

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const thrower = (fault: Error) => () => {
  throw fault
}

describe('a document', () => {
  it('C3: says how much of it the client gets', async () => {
    const { deliver, serve, give, outcomes } = scriptedServing()
    const served = serve()
    const document = JSON.stringify({ choices: [{ message: { role: 'assistant', content: 'eight or more' } }] })
    give({ kind: 'complete', answer, close: () => document }, 25)
    const result = await served
    assert(result.kind === 'complete', 'it is complete')
    await deliver(result)
    expect(outcomes.map((outcome) => outcome.kind === 'answered' && outcome.deliveredTokens?.())).toEqual([3])
  })

  it('is settled, then delivered with its cost', async () => {
    const { deliver, candidate, serve, give, outcomes, ticket, deps, log } = scriptedServing()
    deps.health.failed(candidate, { payer: testPayer, reason: 'upstream_unavailable' })
    const served = serve()
    give({ kind: 'complete', answer, close, contentType: 'image/png' }, 25)
    const result = await served
    assert(result.kind === 'complete', 'it is complete')
    expect(await deliver(result)).toEqual({
      kind: 'document',
      headers: { 'x-request-id': 'r' },
      body: 'cost 5',
      contentType: 'image/png',
    })
    expect(outcomes).toMatchObject([{ kind: 'answered', candidate, status: 201, answer, cancelled: false }])
    expect(ticket.firstTokenAtMs).toBe(35)
    expect(ticket.attempts).toEqual([
      { model: 'acme/model', provider: 'openai', account: 'first', outcome: 'answered', status: 201, durationMs: 25 },
    ])
    expect(deps.health.judge(candidate, testPayer)).toEqual({ usable: true, isProbe: false })
    expect(log).toContain('answered')
  })

  it.each([
    [5n, 'You were charged 0.000000005 USD; see the receipt at GET /v1/generation?id=gen-'],
    [0n, 'Nothing was charged.'],
  ])('C7: that cannot be written once %d nano-USD are settled says what was charged', async (cost, words) => {
    const settle = () => Promise.resolve(nanoUsd(cost))
    const { deliver, serve, give } = scriptedServing({}, { settle })
    const served = serve()
    const overflow = thrower(new RangeError('Maximum call stack size exceeded'))
    give({ kind: 'complete', answer, close: overflow })
    await served
    const delivered = deliver({ kind: 'complete', answer, close: overflow })
    await expect(delivered).rejects.toMatchObject({
      errorName: 'internal',
      message: expect.stringContaining(`The gateway could not write the answer. ${words}`),
      inside: expect.stringContaining('Maximum call stack size exceeded'),
    })
  })

  it('has no type of its own unless one is named, and keeps the time of its first token', async () => {
    const { deliver, serve, give, ticket } = scriptedServing()
    ticket.firstTokenAtMs = 3
    const served = serve()
    give({ kind: 'complete', answer, close })
    await served
    const reply = await deliver({ kind: 'complete', answer, close })
    expect(reply).not.toHaveProperty('contentType')
    expect(ticket.firstTokenAtMs).toBe(3)
  })

  it('is settled as cancelled where its client has left', async () => {
    const { deliver, serve, give, outcomes, leave, deps } = scriptedServing()
    const served = serve()
    give({ kind: 'complete', answer, close })
    await served
    deps.settle = (_ticket, outcome) => {
      outcomes.push(outcome)
      return Promise.resolve(nanoUsd(5n))
    }
    leave()
    await deliver({ kind: 'complete', answer, close })
    expect(outcomes.at(-1)).toMatchObject({ kind: 'answered', cancelled: true })
  })
})

describe('the output items of an answer', () => {
  const output = [{ id: 'msg_1', type: 'message' }]
  const failure = { kind: 'broken', message: '' } as const
  /** The stored output of a response with this end, before and after it was sent. */
  async function keptOf(end: 'document' | StreamEnd) {
    const kept: unknown[] = []
    const sent: (() => void)[] = []
    const scripted = scriptedServing({}, { keepOutput: (_ticket, those) => kept.push(those) })
    const { deliver, serve, give, ticket } = scripted
    ticket.output = output
    Object.assign(ticket.arrival.connection, { onSent: (listener: () => void) => sent.push(listener) })
    const served = serve()
    if (end === 'document') {
      give({ kind: 'complete', answer, close }, 1)
      const result = await served
      assert(result.kind === 'complete', 'it is complete')
      await deliver(result)
    } else {
      give({ kind: 'opened' }, 1)
      await served
      scripted.watcher().onEnd(end)
      await turn()
    }
    const before = kept.length
    for (const listener of sent) listener()
    return { before, after: kept }
  }

  it.each<[string, 'document' | StreamEnd]>([
    ['a document', 'document'],
    ['a stream', { kind: 'complete', answer, close }],
  ])('[V3] are kept once %s was sent', async (_about, end) => {
    expect(await keptOf(end)).toEqual({ before: 0, after: [output] })
  })

  it('[V3] are not kept of a stream that failed', async () => {
    expect(await keptOf({ kind: 'failed', failure })).toEqual({ before: 0, after: [] })
  })
})

describe('an attempt', () => {
  it.each<[AttemptResult, string]>([
    [{ kind: 'opened' }, 'answered'],
    [{ kind: 'failed', failure: { kind: 'timeout', message: '' } }, 'timeout'],
    [{ kind: 'abandoned' }, 'abandoned'],
    [
      {
        kind: 'refused',
        refusal: {
          action: 'retry',
          errorName: 'upstreamRateLimited',
          message: '',
          inside: '',
          retryAfterMs: null,
          status: 429,
        },
      },
      'upstreamRateLimited',
    ],
  ])('is noted with how it ended: %j', async (given, outcome) => {
    const { serve, give, ticket, log } = scriptedServing({}, {}, 'own_key')
    const served = serve()
    give(given, 4)
    await served
    expect(ticket.attempts).toEqual([
      { model: 'acme/model', provider: 'openai', account: 'first', outcome, status: 201, durationMs: 4, ownKey: true },
    ])
    expect(log.includes('answered')).toBe(given.kind === 'opened')
  })

  it('is not made for a client who has left, and stopped where it left meanwhile', async () => {
    const early = scriptedServing()
    early.leave()
    expect(await early.serve()).toEqual({ kind: 'abandoned' })
    expect(() => early.watcher()).toThrow('nothing was begun')
    const begun = Promise.withResolvers<void>()
    const late = scriptedServing()
    const { begin } = late.deps
    late.deps.begin = async (...given) => {
      await begun.promise
      return begin(...given)
    }
    const served = late.serve()
    late.leave()
    begun.resolve()
    late.give({ kind: 'abandoned' })
    await served
    expect(late.log).toContain('abandon')
  })

  it('that can not be said to this upstream is unfit; a fault of our own is thrown', async () => {
    const unfit = scriptedServing({}, { begin: thrower(error) })
    expect(await unfit.serve()).toEqual({ kind: 'unfit', error })
    expect(unfit.ticket.attempts).toEqual([])
    await expect(scriptedServing({}, { begin: thrower(new TypeError('a bug')) }).serve()).rejects.toThrow(TypeError)
  })
})

describe('a stream', () => {
  it('begins with the first thing of substance', async () => {
    const { serve, give, watcher, ticket, starts, deps, candidate } = scriptedServing()
    deps.health.failed(candidate, { payer: testPayer, reason: 'upstream_unavailable' })
    const served = serve()
    watcher().onOpened('audio/mpeg')
    give({ kind: 'opened' }, 7)
    await served
    expect(ticket.firstTokenAtMs).toBe(10)
    expect(starts).toEqual([{ headers: { 'x-request-id': 'r' }, contentType: 'audio/mpeg' }])
    expect(ticket.attempts).toMatchObject([{ outcome: 'answered', durationMs: 0 }])
    expect(deps.health.judge(candidate, testPayer).usable).toBe(true)
  })

  it('does not begin twice where a comment has begun it', () => {
    const { serve, watcher, starts, setStreaming } = scriptedServing()
    void serve()
    setStreaming()
    watcher().onOpened()
    expect(starts).toEqual([])
  })

  it('ends with its cost', async () => {
    const { serve, watcher, outcomes, candidate, log, deps } = scriptedServing()
    deps.health.failed(candidate, { payer: testPayer, reason: 'upstream_unavailable' })
    void serve()
    await turn()
    watcher().onEnd({ kind: 'complete', answer, close })
    await turn()
    expect(outcomes).toMatchObject([{ kind: 'answered', candidate, status: 201, answer, cancelled: false }])
    expect(outcomes.map((outcome) => outcome.kind === 'answered' && outcome.deliveredTokens?.())).toEqual([6])
    expect(log.slice(-2)).toEqual(['write cost 5', 'end'])
    expect(deps.health.judge(candidate, testPayer)).toEqual({ usable: true, isProbe: false })
  })

  it('C7: that cannot be ended once it is settled says what was charged', async () => {
    const { serve, watcher, log } = scriptedServing()
    void serve()
    await turn()
    watcher().onEnd({ kind: 'complete', answer, close: thrower(new RangeError('too deep')) })
    await turn()
    expect(log.at(-2)).toContain('The gateway could not write the answer. You were charged 0.000000005 USD')
  })

  it('ends without a last frame where there is none', async () => {
    const { serve, watcher, log } = scriptedServing()
    void serve()
    await turn()
    watcher().onEnd({ kind: 'complete', answer, close: () => '' })
    await turn()
    expect(log.at(-1)).toBe('end')
    expect(log).not.toContain('write ')
  })

  it('that breaks off is refunded and says so', async () => {
    const { serve, watcher, outcomes, candidate, log, deps } = scriptedServing()
    void serve()
    await turn()
    watcher().onEnd({ kind: 'failed', failure: { kind: 'broken', message: 'The upstream broke off.' } })
    await turn()
    expect(outcomes).toMatchObject([
      {
        kind: 'refunded',
        reason: 'stream_interrupted',
        candidate,
        status: 201,
        answer: null,
        cancelled: false,
        error: {
          errorName: 'upstreamUnavailable',
          message: 'The upstream broke off. Nothing was charged.',
          inside: 'broken',
        },
      },
    ])
    expect(log.slice(-2)).toEqual(['write fail The upstream broke off. Nothing was charged.', 'end'])
    expect(deps.health.judge(candidate, testPayer).usable).toBe(false)
  })

  it('that only a broken connection can end is dropped', async () => {
    const { serve, watcher, attempt, log } = scriptedServing()
    attempt.failFrames = () => null
    void serve()
    await turn()
    watcher().onEnd({ kind: 'failed', failure: { kind: 'broken', message: 'Broken.' } })
    await turn()
    expect(log.at(-1)).toBe('drop')
    expect(log).not.toContain('end')
  })

  it('of which nothing was written has the frames of its dialect', async () => {
    const { serve, watcher, attempt, log } = scriptedServing()
    attempt.failFrames = () => undefined
    void serve()
    await turn()
    watcher().onEnd({ kind: 'failed', failure: { kind: 'broken', message: 'Broken.' } })
    await turn()
    expect(log).toContain('write frames of first: Broken. Nothing was charged.')
  })

  it('whose settle was lost says so, with no cost', async () => {
    const { serve, watcher, log } = scriptedServing({}, { settle: () => Promise.reject(new Error('disk full')) })
    void serve()
    await turn()
    watcher().onEnd({ kind: 'complete', answer, close })
    await turn()
    expect(log).toContain('error disk full')
    expect(log.filter((line) => line.startsWith('write'))).toEqual([
      'write fail Internal gateway error. This request was not charged. Retry; if it persists, contact support with the X-Request-Id.',
    ])
  })
})

describe('output', () => {
  it('is watched where it is charged for', () => {
    const { serve, watcher, log } = scriptedServing()
    void serve()
    watcher().onOutput(9)
    expect(log).toContain('output 9')
  })

  it.each(['own_key', 'free'] as const)('is not watched where nobody holds for it: %s', (billing) => {
    const { serve, watcher, log } = scriptedServing({}, {}, billing)
    void serve()
    watcher().onOutput(9)
    expect(log).not.toContain('output 9')
  })

  it('[STREAM-12] that outgrows what can be paid for is cut off and refunded', async () => {
    const { serve, watcher, exhaust, log, outcomes } = scriptedServing()
    void serve()
    await turn()
    watcher().onOutput(9)
    exhaust('wallet')
    await turn()
    expect(outcomes).toMatchObject([{ kind: 'refunded', reason: 'credit_exhausted', cancelled: false }])
    expect(log).toEqual([
      'watch',
      'output 9',
      'abandon',
      'unbilled first',
      'write fail Your credit ran out mid-stream, so the response was cut off. Top up to get longer responses.',
      'end',
    ])
  })

  it('is not cut off after the request was settled', async () => {
    const { serve, watcher, exhaust, log, ticket } = scriptedServing()
    void serve()
    await turn()
    watcher().onOutput(9)
    ticket.settlement = Promise.resolve(nanoUsd(5n))
    exhaust('wallet')
    await turn()
    expect(log).not.toContain('abandon')
  })

  it('whose refund was lost ends the stream with an error', async () => {
    const { serve, watcher, exhaust, log } = scriptedServing(
      {},
      { settle: () => Promise.reject(new Error('disk full')) },
    )
    void serve()
    await turn()
    watcher().onOutput(9)
    exhaust('wallet')
    await turn()
    expect(log.slice(-3)).toEqual([
      'error disk full',
      'write fail Internal gateway error. This request was not charged. Retry; if it persists, contact support with the X-Request-Id.',
      'end',
    ])
  })
})
