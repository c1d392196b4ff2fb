import { describe, expect, it } from 'vitest'
import { errorFrames } from '#dialects/chat/frames.ts'
import { noUsage } from '#domain/inference/usage.ts'
import type { MediaResult } from '#domain/media/media-result.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { type ExchangeScript, type Exchange, fetchImage, pause, send } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError, UpstreamRefusedError } from '#providers/codecs/faults.ts'
import type { UpstreamRefusal } from '#providers/refusal.ts'
import { idleHedging } from '#test/streams/idle-hedging.ts'
import { recordingConnection, testPayer, testTicket } from '#test/streams/test-ticket.ts'
import type { Outcome } from '../../types.ts'
import { createDispatch } from '../dispatch.ts'
import type { DispatchDeps } from '../dispatch-deps.ts'
import { createHealthStore } from '../choose/health-store.ts'
import { type FinishedMedia, MediaAttempt, type MediaAttemptInput } from './media-attempt.ts'
import { ExchangeFailedError } from './whole-exchange.ts'

type Doings = Pick<MediaAttemptInput, 'send' | 'fetchImage' | 'wait' | 'finish'>

const request = { origin: 'http://upstream.test', path: '/', headers: {}, body: '' }
const made: MediaResult = { kind: 'embedding', vectors: [[1]], usage: { ...noUsage, uncachedInput: 3 } }
const finished: FinishedMedia = {
  answer: { usage: { ...noUsage, uncachedInput: 3 }, finishReason: null, nativeFinishReason: null },
  contentType: 'application/json',
  frames: 'frames ',
  close: (cost) => `cost ${cost}`,
}
const exchange: Exchange = { status: 200, headers: {}, body: Buffer.from('{}') }
const refusal: UpstreamRefusal = {
  action: 'give-up',
  errorName: 'contentModeration',
  message: 'no',
  inside: 'no',
  retryAfterMs: null,
  status: 400,
}

/** A submit, a wait, a poll and an image: every kind of step. */
function* ordinary(): ExchangeScript<MediaResult> {
  yield* send(request)
  yield* pause(100)
  yield* send(request)
  yield* fetchImage('https://images.test/a.png')
  return made
}

function throwingAfter(steps: number, error: Error): () => ExchangeScript<MediaResult> {
  return function* () {
    for (let step = 0; step < steps; step += 1) yield* send(request)
    throw error
  }
}

/** Runs the scripted steps. A step told to hang only ends when it is aborted. */
function doings(change: Partial<Doings>, done: string[]): Doings {
  const plain: Doings = {
    send: async () => exchange,
    wait: async () => {},
    fetchImage: async () => ({
      name: '',
      mediaType: 'image/png',
      byteCount: 0,
      content: { kind: 'memory', bytes: Buffer.alloc(0) },
    }),
    finish: async () => finished,
  }
  const told: Doings = { ...plain, ...change }
  return {
    send: (...input) => (done.push('send'), told.send(...input)),
    wait: (...input) => (done.push('wait'), told.wait(...input)),
    fetchImage: (...input) => (done.push('fetch'), told.fetchImage(...input)),
    finish: (...input) => (done.push('finish'), told.finish(...input)),
  }
}

function hang(_what: unknown, signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

function notKept(): Promise<never> {
  return Promise.reject(new GatewayError('pipelineError', { message: 'not kept' }))
}

function stage(change: Partial<Doings> = {}, { converse = ordinary, stream = false, deadlineMs = 5_000 } = {}) {
  const connection = recordingConnection()
  const plain = testTicket({}, connection)
  const ticket = testTicket({ call: { ...plain.plan.call, stream } }, connection)
  const done: string[] = []
  const outcomes: Outcome[] = []
  const health = createHealthStore({ failures: 1, openMs: 1_000 }, () => 0)
  let discards = 0
  const deps: DispatchDeps = {
    health,
    noteAnswered: () => {},
    refusedFields: { note: () => undefined },
    retries: { earn: () => {}, spend: () => false },
    hedging: idleHedging,
    keepAlives: { watch: () => {}, watched: 0, stop: () => {} },
    keepAliveOf: () => null,
    begin: (_ticket, _candidate, watcher) => {
      const script = converse()
      const attempt = new MediaAttempt({
        ...doings(change, done),
        ticket,
        script,
        first: script.next(),
        deadlineMs,
        failFrames: errorFrames,
        discard: async () => {
          discards += 1
        },
        watcher,
      })
      return { attempt, ignored: [] }
    },
    failFrames: (_ticket, _candidate, error) => errorFrames(error),
    settle: (_ticket, outcome) => {
      ticket.settlement ??= Promise.resolve(outcomes.push(outcome)).then(() => nanoUsd(5n))
      return ticket.settlement
    },
    watchOutput: () => {},
    keepOutput: null,
    storeResponse: null,
    noteUnbilledCancel: () => {},
    watchStop: () => {},
    onError: (error) => {
      throw error
    },
    nowMs: () => 0,
    wait: async () => {},
  }
  const [candidate] = ticket.plan.candidates
  const isWell = (): boolean => candidate !== undefined && health.judge(candidate, testPayer).usable
  return {
    connection,
    ticket,
    done,
    outcomes,
    isWell,
    discards: () => discards,
    run: () => createDispatch(deps)(ticket),
  }
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a try of many exchanges', () => {
  it('takes its steps in order, and is settled before its cost is shown', async () => {
    const { run, done, outcomes, discards } = stage()
    expect(await run()).toMatchObject({ kind: 'document', body: 'cost 5', contentType: 'application/json' })
    expect(done).toEqual(['send', 'wait', 'send', 'fetch', 'finish'])
    expect(outcomes).toMatchObject([{ kind: 'answered', status: 200, cancelled: false }])
    expect(discards()).toBe(1)
  })

  it('writes a stream once its result is there, and ends it after the settle', async () => {
    const { run, connection, outcomes } = stage({}, { stream: true })
    expect(await run()).toEqual({ kind: 'handled' })
    await turn()
    expect(connection.sent).toBe('frames cost 5')
    expect(connection.ended).toBe(true)
    expect(outcomes).toMatchObject([{ kind: 'answered' }])
  })

  it.each([
    ['refused', new UpstreamRefusedError(refusal), 'contentModeration', 'upstream_rejected', true],
    [
      'refused for what it is itself',
      new UpstreamRefusedError({ ...refusal, action: 'fail-over', errorName: 'upstreamUnavailable', status: 500 }),
      'upstreamUnavailable',
      'upstream_failed',
      false,
    ],
    [
      'broken',
      new ExchangeFailedError({ kind: 'broken', message: 'cut' }),
      'upstreamUnavailable',
      'upstream_failed',
      false,
    ],
    [
      'too late by itself',
      new ExchangeFailedError({ kind: 'timeout', message: 'late' }),
      'upstreamStalled',
      'upstream_failed',
      false,
    ],
    [
      'out of reach',
      new ExchangeFailedError({ kind: 'unreachable', message: 'away' }),
      'upstreamUnreachable',
      'upstream_failed',
      false,
    ],
    ['no use', new UnusableAnswerError('not JSON'), 'upstreamUnavailable', 'upstream_failed', false],
  ] as const)('is refunded once when an exchange is %s', async (_name, error, errorName, reason, isWell) => {
    const scene = stage({ send: async () => Promise.reject(error) })
    await expect(scene.run()).rejects.toMatchObject({ errorName })
    expect(scene.outcomes).toMatchObject([{ kind: 'refunded', reason }])
    expect(scene.done).toEqual(['send'])
    expect(scene.isWell()).toBe(isWell)
    expect(scene.discards()).toBe(1)
  })

  it.each([
    ['fetching', 'fetchImage', ['send', 'wait', 'send', 'fetch']],
    ['finishing', 'finish', ['send', 'wait', 'send', 'fetch', 'finish']],
  ] as const)(
    'is refunded as pipeline_error when %s fails, and the upstream is not blamed',
    async (_name, which, done) => {
      const scene = stage({ [which]: notKept })
      await expect(scene.run()).rejects.toMatchObject({ errorName: 'pipelineError' })
      expect(scene.outcomes).toMatchObject([{ kind: 'refunded' }])
      expect(scene.done).toEqual(done)
      expect(scene.isWell()).toBe(true)
    },
  )

  it('asks nobody when its host can not be asked this at all', async () => {
    const converse = throwingAfter(0, new GatewayError('unsupportedParam', { message: 'not here' }))
    const scene = stage({}, { converse })
    await expect(scene.run()).rejects.toMatchObject({ errorName: 'unsupportedParam' })
    expect(scene.done).toEqual([])
    expect(scene.outcomes).toMatchObject([{ kind: 'refunded' }])
    expect(scene.isWell()).toBe(true)
  })

  it.each(['send', 'wait', 'fetchImage', 'finish'] as const)(
    'is over at its deadline, in the middle of %s',
    async (which) => {
      const scene = stage({ [which]: hang }, { deadlineMs: 20 })
      await expect(scene.run()).rejects.toMatchObject({ errorName: 'upstreamStalled' })
      expect(scene.outcomes).toMatchObject([{ kind: 'refunded', reason: 'upstream_failed' }])
      const doneThen = [...scene.done]
      await turn()
      expect(scene.done).toEqual(doneThen)
      expect(scene.discards()).toBe(1)
    },
  )

  it.each([
    ['send', 1],
    ['wait', 2],
    ['fetchImage', 4],
    ['finish', 5],
  ] as const)('stops when its client leaves in the middle of %s, and is settled once', async (which, steps) => {
    const scene = stage({ [which]: hang })
    const running = scene.run()
    while (scene.done.length < steps) await turn()
    scene.connection.leave()
    expect(await running).toEqual({ kind: 'handled' })
    await turn()
    expect(scene.done).toHaveLength(steps)
    expect(scene.outcomes).toMatchObject([{ kind: 'refunded', reason: 'client_cancelled', cancelled: true }])
    expect(scene.isWell()).toBe(true)
    expect(scene.discards()).toBe(1)
  })

  it.each(['send', 'wait', 'fetchImage', 'finish'] as const)(
    'does nothing more when its client has left and %s comes to its end all the same',
    async (which) => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const told = doings({}, [])
      const late = async (...input: Parameters<Doings[typeof which]>) => {
        await promise
        return (told[which] as (...given: unknown[]) => unknown)(...input)
      }
      const scene = stage({ [which]: late }, { stream: true })
      const running = scene.run()
      while (!scene.done.includes(which === 'fetchImage' ? 'fetch' : which)) await turn()
      const steps = scene.done.length
      scene.connection.leave()
      resolve()
      expect(await running).toEqual({ kind: 'handled' })
      await turn()
      expect(scene.done).toHaveLength(steps)
      expect(scene.connection.sent).toBe('')
      expect(scene.outcomes).toHaveLength(1)
    },
  )

  it('does nothing more when its client leaves just as the last answer is there', async () => {
    const last = Promise.withResolvers<Exchange>()
    const scene = stage(
      { send: () => last.promise },
      {
        converse: function* () {
          yield* send(request)
          return made
        },
      },
    )
    const running = scene.run()
    while (scene.done.length < 1) await turn()
    last.resolve(exchange)
    scene.connection.leave()
    expect(await running).toEqual({ kind: 'handled' })
    await turn()
    expect(scene.done).toEqual(['send'])
    expect(scene.outcomes).toMatchObject([{ kind: 'refunded', reason: 'client_cancelled' }])
  })

  it.each([
    ['in its first step', 0],
    ['in a later step', 1],
  ])('[ERR-04] throws what is our own mistake %s, and the upstream is not blamed', async (_name, steps) => {
    const scene = stage({}, { converse: throwingAfter(steps, new TypeError('a bug of ours')) })
    await expect(scene.run()).rejects.toThrow(TypeError)
    // The pipeline refunds requests for which dispatch throws, so nothing may be settled here as an upstream failure.
    expect(scene.outcomes).toEqual([])
    expect(scene.isWell()).toBe(true)
  })
})
