import { describe, expect, it } from 'vitest'
import { GatewayError } from '#errors/gateway-error.ts'
import { nanoUsd, type NanoUsd } from '#domain/money/nano-usd.ts'
import { one } from '#test/streams/dispatch-stage.ts'
import { endOf, hedgedStage, turn } from '#test/streams/hedged-stage.ts'
import { testTicket } from '#test/streams/test-ticket.ts'
import type { AnswerRest, Outcome } from '../types.ts'
import type { DispatchDeps } from './dispatch-deps.ts'
import { Serving } from './serving.ts'

const { call } = testTicket().plan
const alone = { candidates: [one] }
const whole = { ...alone, call: { ...call, stream: false } }
const answer = { usage: null, finishReason: 'stop', nativeFinishReason: 'stop' }

const loseSettle: DispatchDeps['settle'] = () => Promise.reject(new Error('disk full'))

describe('a request whose run is stopped', () => {
  it('[NEXT-50] without a head is refused with the reason, and writes nothing', async () => {
    const scene = hedgedStage(whole, {}, 'job-1')
    await scene.play('stop')
    expect(scene.settled.error).toMatchObject({ errorName: 'runStopped', message: expect.stringContaining('job-1') })
    expect(scene.settled.error?.message).toContain('enough')
    expect(endOf(scene.outcomes)).toEqual(['one client_cancelled'])
    expect([scene.connection.sent, scene.connection.ended]).toEqual(['', false])
    expect(scene.log).toEqual(['ask one', 'cancel one', 'unbilled one'])
  })

  it('[NEXT-50] with a head is told the reason in the stream', async () => {
    const scene = hedgedStage(alone, {}, 'job-1')
    await scene.play('comment', 'stop')
    expect(scene.settled).toEqual({ reply: { kind: 'handled' }, error: null })
    expect(scene.attempts()).toEqual(['one abandoned'])
    expect([scene.connection.sent, scene.connection.ended]).toEqual(['error of one', true])
  })

  it('[NEXT-50] is charged for usage that has arrived', async () => {
    const scene = hedgedStage(alone, {}, 'job-1')
    await scene.play('one opens')
    Object.assign(scene.legs.get('one')?.attempt ?? {}, { finalAnswer: answer })
    scene.act('stop')
    await turn()
    expect(endOf(scene.outcomes)).toEqual(['one charged, cancelled'])
  })

  it('is unaffected if it has already ended', async () => {
    const scene = hedgedStage(alone, {}, 'job-1')
    await scene.play('one opens', 'one ends', 'stop')
    expect(scene.log).toEqual(['ask one', 'one answered'])
    expect(endOf(scene.outcomes)).toEqual(['one charged'])
    expect(scene.connection.sent).toBe('cost 5')
  })

  it('is cancelled right after its upstream call has started', async () => {
    const gate = Promise.withResolvers<void>()
    const scene = hedgedStage(alone, {}, 'job-1')
    const { begin } = scene.deps
    scene.deps.begin = (...given) => gate.promise.then(() => begin(...given))
    await scene.play('stop')
    expect(endOf(scene.outcomes)).toEqual(['one client_cancelled'])
    gate.resolve()
    await turn()
    expect(scene.log).toEqual(['unbilled one', 'ask one', 'cancel one'])
    expect(scene.settled.error?.errorName).toBe('runStopped')
  })

  it('calls no upstream if it has called none yet', async () => {
    const { deps, ticket, act, log } = hedgedStage(alone, {}, 'job-1')
    const serving = new Serving(deps, ticket)
    act('stop')
    await turn()
    await expect(serving.legTo(one).serve()).rejects.toMatchObject({ errorName: 'runStopped' })
    expect(log).toEqual(['unbilled undefined'])
  })

  it('gets an error if its refund was lost, in frames of its dialect if nothing was written', async () => {
    const { deps, ticket, act, log, connection } = hedgedStage(alone, { settle: loseSettle }, 'job-1')
    const serving = new Serving(deps, ticket)
    connection.startStream({})
    act('stop')
    await turn()
    expect(serving.gone).toBe(true)
    expect(log).toEqual(['unbilled undefined', 'error disk full'])
    expect([connection.sent, connection.ended]).toEqual(['no frames of one', true])
  })

  it('is watched only if it belongs to a run', async () => {
    const scene = hedgedStage(alone, {
      watchStop: () => {
        throw new Error('it has no run')
      },
    })
    await scene.play('one opens')
    expect(scene.settled.reply).toEqual({ kind: 'handled' })
  })
})

describe('the rest of an answer', () => {
  const recording = { complete: async () => {}, settled: () => {}, forget: async () => {} }

  /** An answer that is settled at this cost, and the rest that was stored, with the number of times it was written. */
  async function storedOf(stream: boolean, storedFor: NanoUsd, cost: NanoUsd) {
    const rests: (AnswerRest | null)[] = []
    let written = 0
    const settle: DispatchDeps['settle'] = async (ticket, outcome) => {
      ticket.settlement = Promise.resolve(cost)
      if (outcome.kind === 'answered') rests.push(outcome.rest?.(storedFor) ?? null)
      return cost
    }
    const scene = hedgedStage(stream ? alone : whole, { settle })
    const { ticket } = scene
    scene.start({ ...ticket, arrival: { ...ticket.arrival, recording }, replyHeaders: { 'x-request-id': 'r' } })
    await turn()
    const close = (charged: NanoUsd): string => `cost ${charged}, ${(written += 1)}`
    if (stream) {
      scene.act('one opens')
      scene.legs.get('one')?.watcher.onEnd({ kind: 'complete', answer, close })
    } else scene.legs.get('one')?.give({ kind: 'complete', answer, close })
    await turn()
    return { rests, scene }
  }

  const headers = { 'x-request-id': 'r', 'x-params-ignored': 'of_one' }
  const head = { status: 200, contentType: 'application/json; charset=utf-8', headers }

  it('[NEXT-60] is stored as it is sent, with the head of a document', async () => {
    const { rests, scene } = await storedOf(false, nanoUsd(5n), nanoUsd(5n))
    expect(rests).toEqual([{ head, bytes: 'cost 5, 1' }])
    expect(scene.settled.reply).toEqual({ kind: 'document', headers, body: 'cost 5, 1' })
    const streamed = await storedOf(true, nanoUsd(5n), nanoUsd(5n))
    expect(streamed.rests).toEqual([{ bytes: 'cost 5, 1' }])
    expect(streamed.scene.connection.sent).toBe('cost 5, 1')
  })

  it('is written again if the request was charged differently', async () => {
    const { rests, scene } = await storedOf(false, nanoUsd(9n), nanoUsd(5n))
    expect(rests).toEqual([{ head, bytes: 'cost 9, 1' }])
    expect(scene.settled.reply).toMatchObject({ body: 'cost 5, 2' })
  })

  it('has the type that the upstream names', async () => {
    const rests: (AnswerRest | undefined)[] = []
    const settle: DispatchDeps['settle'] = async (_ticket, outcome) => {
      if (outcome.kind === 'answered') rests.push(outcome.rest?.(nanoUsd(5n)))
      return nanoUsd(5n)
    }
    const scene = hedgedStage(whole, { settle })
    scene.start({ ...scene.ticket, arrival: { ...scene.ticket.arrival, recording } })
    await turn()
    scene.legs.get('one')?.give({ kind: 'complete', answer, close: () => 'bytes', contentType: 'audio/mpeg' })
    await turn()
    expect(rests).toMatchObject([{ head: { contentType: 'audio/mpeg' } }])
  })

  it.each([true, false])('is not kept without an idempotency key, with stream %j', async (stream) => {
    const outcomes: Outcome[] = []
    const settle: DispatchDeps['settle'] = async (_ticket, outcome) => {
      outcomes.push(outcome)
      return nanoUsd(5n)
    }
    const scene = hedgedStage(stream ? alone : whole, { settle })
    await scene.play(...(stream ? (['one opens', 'one ends'] as const) : (['one completes'] as const)))
    expect(outcomes).toHaveLength(1)
    expect(outcomes[0]).not.toHaveProperty('rest')
  })
})

describe('the output items of a response', () => {
  const output = [{ id: 'msg_1', type: 'message' }]

  it.each([
    ['the request must not keep any', undefined, () => expect.fail('they are kept')],
    ['the gateway keeps none', output, null],
  ])('are not watched where %s', async (_what, items, keepOutput) => {
    const scene = hedgedStage(alone, { keepOutput })
    const listeners: unknown[] = []
    scene.connection.onSent = (listener) => listeners.push(listener)
    if (items !== undefined) scene.ticket.output = items
    await scene.play('one opens', 'one ends')
    expect(listeners).toEqual([])
    expect(scene.connection.ended).toBe(true)
  })
})

describe('the headers of a reply', () => {
  it('are those of the ticket itself if there is nothing to add', async () => {
    const scene = hedgedStage(whole)
    const { begin } = scene.deps
    scene.deps.begin = (...given) => {
      const begun = begin(...given)
      return begun instanceof Promise ? begun : { ...begun, ignored: [] }
    }
    await scene.play('one completes')
    expect(scene.settled.reply?.kind === 'document' && scene.settled.reply.headers).toBe(scene.ticket.replyHeaders)
  })

  it('are those of the ticket before any upstream was called', () => {
    const begins: (() => void)[] = []
    const { deps, ticket, connection } = hedgedStage(alone, {
      keepAliveOf: () => ({ bytes: ': alive' }),
      keepAlives: { watch: (_connection, _keepAlive, begin) => begins.push(begin), watched: 0, stop: () => {} },
    })
    const heads: object[] = []
    connection.startStream = (headers) => heads.push(headers)
    expect(new Serving(deps, ticket).winner).toBeNull()
    begins[0]?.()
    expect(heads[0]).toBe(ticket.replyHeaders)
  })
})

it('an error without details of ours has none after it could not be written either', async () => {
  const scene = hedgedStage(whole)
  await scene.play()
  const fault = new GatewayError('upstreamUnavailable', { message: 'It failed.' })
  const close = (): never => {
    throw fault
  }
  scene.legs.get('one')?.give({ kind: 'complete', answer, close })
  await turn()
  expect(scene.settled.error).toMatchObject({ errorName: 'internal', cause: fault })
  expect(scene.settled.error?.inside).toBeUndefined()
})
