import { describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { scriptedServing } from '#test/streams/scripted-serving.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { Answer, Plan } from '../types.ts'

const answer: Answer = { usage: null, finishReason: 'stop', nativeFinishReason: 'stop' }
const close = (cost: bigint) => `cost ${cost}`
const error = new GatewayError('upstreamUnavailable', { message: 'It failed.', inside: 'why' })

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** The start of a stream whose first bytes are a keep-alive comment. */
function startedByComment(change: Partial<Plan>) {
  const begins: (() => void)[] = []
  const watch = (_connection: unknown, _keepAlive: unknown, begin: () => void) => begins.push(begin)
  const { starts } = scriptedServing(change, { keepAlives: { watch, watched: 0, stop: () => {} } })
  for (const begin of begins) begin()
  return starts
}

async function headersOf(change: Partial<Plan>, ignored: readonly string[] = []) {
  const scene = scriptedServing(change)
  const { begin } = scene.deps
  scene.deps.begin = async (...given) => ({ ...(await begin(...given)), ignored })
  const served = scene.serve()
  scene.give({ kind: 'complete', answer, close })
  await served
  const reply = await scene.deliver({ kind: 'complete', answer, close })
  return reply.kind === 'document' ? reply.headers : expect.fail('it is no document')
}

describe('a client who leaves', () => {
  it('pays for an answer whose usage is final', async () => {
    const { serve, leave, attempt, outcomes, candidate, log } = scriptedServing()
    attempt.finalAnswer = answer
    void serve()
    await turn()
    leave()
    await turn()
    expect(outcomes).toMatchObject([{ kind: 'answered', candidate, status: 201, answer, cancelled: true }])
    expect(log).not.toContain('unbilled first')
  })

  it('pays nothing otherwise, which is noted', async () => {
    const { serve, leave, outcomes, candidate, log } = scriptedServing()
    void serve()
    await turn()
    leave()
    await turn()
    expect(outcomes).toEqual([
      {
        kind: 'refunded',
        reason: 'client_cancelled',
        candidate,
        status: 201,
        answer: null,
        cancelled: true,
        error: null,
      },
    ])
    expect(log).toEqual(['watch', 'abandon', 'unbilled first'])
  })

  it('before anybody was asked leaves a note without a candidate', async () => {
    const { leave, outcomes, log } = scriptedServing()
    leave()
    await turn()
    expect(outcomes).toMatchObject([{ reason: 'client_cancelled', candidate: null, status: null }])
    expect(log).toContain('unbilled undefined')
  })

  it.each([
    ['an own key', {}, 'own_key'],
    ['a free model', {}, 'free'],
    ['a plan without charges', { isBilled: false }, 'charged'],
  ] as const)('is not noted where nothing would have been billed: %s', async (_what, change, billing) => {
    const { serve, leave, log } = scriptedServing(change, {}, billing)
    void serve()
    await turn()
    leave()
    await turn()
    expect(log.some((line) => line.startsWith('unbilled'))).toBe(false)
  })

  it('after the end changes nothing', async () => {
    const { serve, leave, ticket, outcomes } = scriptedServing()
    void serve()
    await turn()
    ticket.settlement = Promise.resolve(nanoUsd(5n))
    leave()
    await turn()
    expect(outcomes).toEqual([])
  })

  it('is written nothing any more', async () => {
    const { serve, leave, watcher, log, deps } = scriptedServing()
    void serve()
    await turn()
    deps.settle = () => Promise.resolve(nanoUsd(5n))
    leave()
    watcher().onEnd({ kind: 'complete', answer, close })
    await turn()
    expect(log).not.toContain('write cost 5')
    expect(log).not.toContain('end')
  })

  it('whose refund was lost is reported', async () => {
    const { leave, log } = scriptedServing({}, { settle: () => Promise.reject(new Error('disk full')) })
    leave()
    await turn()
    expect(log).toContain('error disk full')
  })
})

describe('a refusal', () => {
  it('is refunded before it is told', async () => {
    const { serving, outcomes } = scriptedServing()
    await expect(serving.refuse(error, 'upstream_failed')).rejects.toMatchObject({ message: 'It failed.' })
    expect(outcomes).toMatchObject([
      { kind: 'refunded', reason: 'upstream_failed', candidate: null, status: null, error: { message: 'It failed.' } },
    ])
  })
})

describe('keep-alives', () => {
  it('begin the stream of a client who waits', () => {
    const starts = startedByComment({})
    expect(starts).toEqual([{ headers: { 'x-request-id': 'r' }, contentType: undefined }])
  })

  it('are not sent for a document, nor where a dialect has none', () => {
    const { call } = testTicket().plan
    expect(scriptedServing({ call: { ...call, stream: false } }).log).toEqual([])
    expect(scriptedServing({}, { keepAliveOf: () => null }).log).toEqual([])
  })
})

describe('reply headers', () => {
  const plan = testTicket().plan
  const auto = { explanation: { ...plan.explanation, autoTier: 'coding' } }

  it('name what the upstream was not told', async () => {
    expect(await headersOf({}, ['top_k'])).toEqual({ 'x-request-id': 'r', 'x-params-ignored': 'top_k' })
  })

  it('name the model that the auto router chose', async () => {
    expect(await headersOf(auto)).toEqual({ 'x-request-id': 'r', 'x-auto-resolved-model': 'acme/model' })
  })

  it('name the cap that the gateway has set', async () => {
    // 2,058,000 nano-USD at 1,000 per prompt token and 2,000 per output token, with ten prompt tokens: 1,024 tokens.
    expect(await headersOf({ isOpenEnded: true })).toEqual({ 'x-request-id': 'r', 'x-output-cap': '1024' })
  })

  it('name the first model where nobody was asked yet', () => {
    const starts = startedByComment(auto)
    expect(starts).toMatchObject([{ headers: { 'x-auto-resolved-model': 'acme/model' } }])
  })
})
