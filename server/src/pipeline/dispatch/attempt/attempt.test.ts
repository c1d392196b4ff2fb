import { describe, expect, it } from 'vitest'
import { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { UpstreamHandler } from '#ports/upstream.ts'
import type { UpstreamRefusal } from '#providers/refusal.ts'
import { recordingConnection, testTicket } from '#test/streams/test-ticket.ts'
import type { Answer, AnswerListener, AnswerReader } from '../../types.ts'
import { Attempt, type StreamEnd } from './attempt.ts'

const request = {
  origin: 'http://upstream.test',
  path: '/',
  headers: {},
  body: '',
  headersTimeoutMs: 1,
  bodyTimeoutMs: 1,
  connectTimeoutMs: 1,
}
const answer: Answer = { usage: null, finishReason: 'stop', nativeFinishReason: 'stop' }
const broken = { kind: 'broken', message: 'reset' } as const
const refusalOf = (status: number, headers: object, text: string): UpstreamRefusal => ({
  action: 'retry',
  errorName: 'upstreamUnavailable',
  message: JSON.stringify(headers),
  inside: text,
  retryAfterMs: null,
  status,
})

function scriptedReader(log: string[], final: { readonly answer: Answer | null }): AnswerReader {
  return {
    data: (bytes) => log.push(`read ${bytes}`),
    end: () => log.push('read the end'),
    outputTokensEstimate: 7,
    get finalAnswer() {
      return final.answer
    },
    fail: ({ message }) => `fail ${message}`,
  }
}

/** Starts an attempt with a scripted upstream and reader, and records the calls on them. */
function begin({ stream = true, full = false } = {}) {
  const log: string[] = []
  const ends: StreamEnd[] = []
  let drained: (() => void) | null = null
  const connection = {
    ...recordingConnection(),
    write: (bytes: Buffer | string) => {
      log.push(`write ${bytes}`)
      return !full
    },
    onDrain: (listener: () => void) => {
      drained = listener
    },
  }
  const ticket = testTicket({}, connection)
  const plan = { ...ticket.plan, call: { ...ticket.plan.call, stream } }
  let listener: AnswerListener | null = null
  const final: { answer: Answer | null } = { answer: null }
  const reader = scriptedReader(log, final)
  let handler: UpstreamHandler | null = null
  const attempt = new Attempt({
    ticket: { ...ticket, plan },
    request,
    upstreams: {
      open: (asked, given) => {
        expect(asked).toBe(request)
        handler = given
        return {
          pause: () => log.push('pause'),
          resume: () => log.push('resume'),
          abort: () => log.push('abort'),
        }
      },
    },
    makeReader: (contentType, given) => {
      log.push(`reader of "${contentType}"`)
      listener = given
      return reader
    },
    readFailure: refusalOf,
    watcher: {
      onOpened: (contentType) => log.push(`opened as ${contentType}`),
      onEnd: (end) => ends.push(end),
      onOutput: (tokens) => log.push(`output ${tokens}`),
    },
  })
  assert(handler !== null, 'the exchange was opened')
  const upstream: UpstreamHandler = handler
  return {
    attempt,
    upstream,
    log,
    ends,
    drain: () => drained?.(),
    /** Delivers the response head and connects the reader to the attempt. */
    answering: (contentType: string | undefined = 'text/event-stream') => {
      upstream.headers(200, contentType === undefined ? {} : { 'content-type': contentType })
      assert(listener !== null, 'there is a reader')
      return listener
    },
    setFinal: (given: Answer | null) => {
      final.answer = given
    },
  }
}

const close = () => 'the cost'
const settled = (promise: Promise<unknown>): Promise<unknown> => Promise.race([promise, Promise.resolve('not yet')])

describe('an attempt that is refused', () => {
  it.each([199, 300, 400, 500])('gives the refusal with its status, head and whole body: %i', async (status) => {
    const { attempt, upstream, log } = begin()
    upstream.headers(status, { 'x-a': 'b' })
    upstream.data(Buffer.from('no '))
    upstream.data(Buffer.from('more'))
    upstream.end()
    expect(await attempt.result).toEqual({ kind: 'refused', refusal: refusalOf(status, { 'x-a': 'b' }, 'no more') })
    expect(attempt.status).toBe(status)
    expect(log).toEqual([])
    expect(attempt.finalAnswer).toBeNull()
    expect(attempt.failFrames(new GatewayError('internal', { message: 'no' }))).toBeUndefined()
  })

  it.each([200, 299])('is none with status %i', (status) => {
    const { upstream, log } = begin()
    upstream.headers(status, {})
    expect(log).toEqual(['reader of ""'])
  })

  it('remembers 64 KB of the refusal at the most', async () => {
    const { attempt, upstream } = begin()
    upstream.headers(500, {})
    upstream.data(Buffer.alloc(65_535, 'a'))
    upstream.data(Buffer.from('b'))
    upstream.data(Buffer.from('c'))
    upstream.end()
    const result = await attempt.result
    expect(result).toMatchObject({ kind: 'refused' })
    expect(result.kind === 'refused' && result.refusal.inside).toBe(`${'a'.repeat(65_535)}b`)
  })

  it('has the status 0 where not even a head came', async () => {
    const { attempt, upstream } = begin()
    expect(attempt.status).toBeNull()
    upstream.end()
    expect(await attempt.result).toMatchObject({ kind: 'refused', refusal: { status: 0, message: '{}' } })
  })
})

describe('an attempt that is answered by a stream', () => {
  it('is opened by the first thing of substance, and then once', async () => {
    const { attempt, log, answering } = begin()
    const reader = answering()
    expect(await settled(attempt.result)).toBe('not yet')
    reader.opened('audio/mpeg')
    reader.opened('audio/mpeg')
    expect(await attempt.result).toEqual({ kind: 'opened' })
    expect(log).toEqual(['reader of "text/event-stream"', 'opened as audio/mpeg'])
  })

  it('hands on bytes once it is open, and none before or after', () => {
    const { upstream, log, answering } = begin()
    const reader = answering()
    reader.bytes('early')
    reader.opened()
    reader.bytes('hello')
    upstream.failed(broken)
    reader.bytes('late')
    expect(log.filter((line) => line.startsWith('write'))).toEqual(['write hello'])
  })

  it('stops the upstream while the client is full, and goes on when it has drained', () => {
    const { log, answering, drain } = begin({ full: true })
    const reader = answering()
    reader.opened()
    log.length = 0
    reader.bytes('hello')
    expect(log).toEqual(['write hello', 'pause'])
    drain()
    expect(log).toEqual(['write hello', 'pause', 'resume'])
  })

  it('does not stop the upstream while the client reads', () => {
    const { log, answering } = begin()
    const reader = answering()
    reader.opened()
    reader.bytes('hello')
    expect(log).not.toContain('pause')
  })

  it('feeds its reader and tells how much was put out', () => {
    const { upstream, log, answering } = begin()
    answering()
    log.length = 0
    upstream.data(Buffer.from('abc'))
    upstream.end()
    expect(log).toEqual(['read abc', 'output 7', 'read the end'])
  })

  it('ends complete, once', () => {
    const { upstream, answering, ends, log } = begin()
    const reader = answering()
    reader.opened()
    reader.done(answer, close)
    reader.done(answer, close)
    reader.unusable(broken)
    log.length = 0
    upstream.data(Buffer.from('more'))
    upstream.end()
    expect(ends).toEqual([{ kind: 'complete', answer, close }])
    expect(log).toEqual([])
  })

  it('ends failed where it breaks off after it was opened', () => {
    const { upstream, answering, ends, log } = begin()
    answering().opened()
    upstream.failed(broken)
    expect(ends).toEqual([{ kind: 'failed', failure: broken }])
    expect(log).toContain('abort')
  })

  it('fails, so that another may be asked, where it breaks off before', async () => {
    const { attempt, upstream, answering, ends, log } = begin()
    answering()
    upstream.failed(broken)
    expect(await attempt.result).toEqual({ kind: 'failed', failure: broken })
    expect(ends).toEqual([])
    expect(log).toContain('abort')
  })

  it('[HOLD-09] is whole where it breaks off after its finish reason and usage', () => {
    const { upstream, answering, setFinal, ends, log } = begin()
    answering().opened()
    setFinal(answer)
    upstream.failed(broken)
    expect(log.at(-1)).toBe('read the end')
    expect(ends).toEqual([])
  })

  it.each([
    ['its finish reason', { ...answer, finishReason: null }],
    ['its usage', null],
  ])('is not whole where it breaks off without %s', (_what, final) => {
    const { upstream, answering, setFinal, ends } = begin()
    answering().opened()
    setFinal(final)
    upstream.failed(broken)
    expect(ends).toEqual([{ kind: 'failed', failure: broken }])
  })

  it('is not whole before anything was sent on', async () => {
    const { attempt, upstream, answering, setFinal } = begin()
    answering()
    setFinal(answer)
    upstream.failed(broken)
    expect(await attempt.result).toEqual({ kind: 'failed', failure: broken })
  })

  it('has last frames for an error', () => {
    const { attempt, answering } = begin()
    answering()
    expect(attempt.failFrames(new GatewayError('internal', { message: 'no' }))).toBe('fail no')
  })
})

describe('an attempt that is answered by a document', () => {
  it('is complete when all of it is here, and was never opened', async () => {
    const { attempt, answering, upstream, ends, log } = begin({ stream: false })
    const reader = answering('application/json')
    log.length = 0
    upstream.data(Buffer.from('{}'))
    reader.opened()
    expect(await settled(attempt.result)).toBe('not yet')
    reader.done(answer, close)
    expect(await attempt.result).toEqual({ kind: 'complete', answer, close })
    expect(log).toEqual(['read {}'])
    expect(ends).toEqual([])
  })

  it('fails wherever it breaks off', async () => {
    const { attempt, answering, upstream, ends } = begin({ stream: false })
    answering('application/json').opened()
    upstream.failed(broken)
    expect(await attempt.result).toEqual({ kind: 'failed', failure: broken })
    expect(ends).toEqual([])
  })
})

describe('an attempt that is abandoned', () => {
  it('closes the connection and says so', async () => {
    const { attempt, log } = begin()
    expect(attempt.abandon()).toBeNull()
    expect(await attempt.result).toEqual({ kind: 'abandoned' })
    expect(log).toEqual(['abort'])
    attempt.abandon()
    expect(log).toEqual(['abort'])
  })

  it('gives the answer where its usage is final', () => {
    const { attempt, answering, setFinal } = begin()
    answering()
    setFinal(answer)
    expect(attempt.abandon()).toBe(answer)
  })

  it('hears nothing of its upstream any more', () => {
    const { attempt, upstream, answering, ends, log } = begin()
    const reader = answering()
    attempt.abandon()
    log.length = 0
    upstream.data(Buffer.from('late'))
    upstream.end()
    upstream.failed(broken)
    reader.opened()
    reader.done(answer, close)
    expect(log).toEqual([])
    expect(ends).toEqual([])
  })
})
