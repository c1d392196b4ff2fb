import { describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { zeroUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import { keptAnswer } from '#test/streams/kept-answer.ts'
import { recordedTrace, wordsOf } from '#test/tracing/recorded-trace.ts'
import type { AttemptResult, AttemptWatcher, RunningAttempt } from './attempt/attempt.ts'
import type { Begun } from './dispatch-deps.ts'
import { traceAttempts } from './trace-attempts.ts'

const watcher = { onOpened: () => {}, onEnd: () => {}, onOutput: () => {} }
const usage = { ...noUsage, uncachedInput: 5, textOutput: 7 }
const answer = { usage, finishReason: 'stop', nativeFinishReason: null }
const close = (): string => String(zeroUsd)
const refusal = { message: 'no', inside: 'no', retryAfterMs: null, status: 429 } as const

function begunWith(result: Promise<AttemptResult>): Begun {
  const attempt: RunningAttempt = {
    result,
    status: 200,
    finalAnswer: null,
    outputTokensSeen: 0,
    failFrames: () => null,
    abandon: () => null,
  }
  return { attempt, ignored: [] }
}

/** Runs one attempt and returns its span. */
async function attempt(begin: () => Begun | Promise<Begun>, change: Partial<Candidate> = {}) {
  const { trace, ended } = recordedTrace()
  const ticket = testTicket()
  const [first] = ticket.plan.candidates
  assert(first !== undefined, 'the ticket has a candidate')
  const traced = { ...ticket, arrival: { ...ticket.arrival, trace } }
  const begun = async () => traceAttempts(begin)(traced, { ...first, ...change }, watcher)
  const outcome = await begun().then(
    ({ attempt: running }) => running.result.catch((error: unknown) => error),
    (error: unknown) => error,
  )
  return { outcome, spans: ended.map(wordsOf) }
}

const asked = {
  name: 'chat model',
  operation: 'chat',
  provider: 'openai',
  requestModel: 'model',
  requestStream: true,
  upstreamProvider: 'openai',
  upstreamAccount: 'first',
  attemptNumber: 1,
}

describe('the span of an attempt', () => {
  it.each<[string, AttemptResult, object]>([
    [
      'that answers whole',
      { kind: 'complete', answer, close },
      { outcome: 'answered', finishReasons: ['stop'], inputTokens: 5, outputTokens: 7 },
    ],
    [
      'whose answer has neither usage nor a reason',
      { kind: 'complete', answer: { usage: null, finishReason: null, nativeFinishReason: null }, close },
      { outcome: 'answered' },
    ],
    [
      'that is throttled',
      { kind: 'refused', refusal: { ...refusal, action: 'fail-over', errorName: 'upstreamRateLimited' } },
      { outcome: 'upstreamRateLimited', errorType: 'upstreamRateLimited', isError: true },
    ],
    [
      'whose upstream finds the request wrong',
      { kind: 'refused', refusal: { ...refusal, action: 'give-up', errorName: 'contentModeration' } },
      { outcome: 'contentModeration', errorType: 'contentModeration' },
    ],
    [
      'that times out',
      { kind: 'failed', failure: { kind: 'timeout', message: 'late' } },
      { outcome: 'timeout', errorType: 'timeout', isError: true },
    ],
    ['that its client leaves', { kind: 'abandoned' }, { outcome: 'abandoned', isCancelled: true }],
  ])('%s says how it ended', async (_name, result, said) => {
    for (const begin of [() => begunWith(Promise.resolve(result)), async () => begunWith(Promise.resolve(result))]) {
      const { spans } = await attempt(begin)
      expect(spans).toEqual([{ ...asked, httpStatus: 200, ...said }])
    }
  })

  it('that opened stays open', async () => {
    const { spans } = await attempt(() => begunWith(Promise.resolve({ kind: 'opened' })))
    expect(spans).toEqual([])
  })

  it('[NEXT-102] that opened first is the one that ends with a hedged request', () => {
    const { trace } = recordedTrace()
    const ticket = testTicket()
    const [first] = ticket.plan.candidates
    assert(first !== undefined, 'the ticket has a candidate')
    const traced = { ...ticket, arrival: { ...ticket.arrival, trace } }
    const watchers: AttemptWatcher[] = []
    const begin = traceAttempts((_ticket, _candidate, given) => {
      watchers.push(given)
      return begunWith(Promise.withResolvers<AttemptResult>().promise)
    })
    void begin(traced, first, watcher)
    const span = trace.attempt
    void begin(traced, first, watcher)
    expect(trace.attempt).not.toBe(span)
    watchers[0]?.onOpened()
    expect(trace.attempt).toBe(span)
  })

  it('[NEXT-124] is missing for a cached answer, because no provider is called', async () => {
    const { trace, ended } = recordedTrace()
    const ticket = testTicket()
    const [first] = ticket.plan.candidates
    assert(first !== undefined, 'the ticket has a candidate')
    const cached = keptAnswer('earlier')
    const kept = { ...ticket, arrival: { ...ticket.arrival, trace, cached } }
    const begin = traceAttempts(() => begunWith(Promise.resolve({ kind: 'complete', answer, close })))
    await (await begin(kept, first, watcher)).attempt.result
    expect([ended, trace.attempts, trace.attempt]).toEqual([[], 0, null])
  })

  it('names the own key of an organization as one, and not by its name', async () => {
    const { spans } = await attempt(() => begunWith(Promise.resolve({ kind: 'abandoned' })), { billing: 'own_key' })
    expect(spans).toMatchObject([{ upstreamAccount: 'own_key', isByok: true }])
  })

  it('that cannot begin says why, and the reason is passed on', async () => {
    const error = new GatewayError('unsupportedMediaType', { message: 'no' })
    const fail = (): never => {
      throw error
    }
    for (const begin of [fail, async () => fail()]) {
      const { outcome, spans } = await attempt(begin)
      expect(outcome).toBe(error)
      expect(spans).toEqual([{ ...asked, errorType: 'unsupportedMediaType' }])
    }
  })

  it('that breaks by our own mistake is an error', async () => {
    const { spans } = await attempt(() => begunWith(Promise.reject(new TypeError('oh'))))
    expect(spans).toEqual([{ ...asked, errorType: 'internal', isError: true }])
  })
})
