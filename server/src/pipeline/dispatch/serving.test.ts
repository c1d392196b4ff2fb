import { describe, expect, it } from 'vitest'
import { chatDialect } from '#dialects/chat/chat-dialect.ts'
import { errorFrames } from '#dialects/chat/frames.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import { assert } from '#lib/assert.ts'
import type { UpstreamHandler, Upstreams } from '#ports/upstream.ts'
import { protocolOf } from '#providers/protocols.ts'
import { vendors } from '#providers/registry.ts'
import { idleHedging } from '#test/streams/idle-hedging.ts'
import { bytesOf, recordedContext } from '#test/streams/read-recorded.ts'
import { recordingConnection, testTicket } from '#test/streams/test-ticket.ts'
import { goodStream } from '#test/simulators/scenarios/good-stream.ts'
import { chooseReader } from './answer/choose-reader.ts'
import { pairOf } from './answer/pair.ts'
import type { Outcome, Ticket } from '../types.ts'
import type { DispatchDeps } from './dispatch-deps.ts'
import { createHealthStore } from './choose/health-store.ts'
import { createBeginExchange } from './begin-exchange.ts'
import { Serving } from './serving.ts'

interface Scene {
  handler: UpstreamHandler
  aborted: boolean
  outcomes: Outcome[]
  errors: unknown[]
  exhaust: (scope: string) => void
}

function stage(open: (scene: Scene, handler: UpstreamHandler) => void, settle?: DispatchDeps['settle']) {
  const connection = recordingConnection()
  const ticket = testTicket({}, connection)
  const scene: Scene = { handler: silent, aborted: false, outcomes: [], errors: [], exhaust: () => {} }
  const upstreams: Upstreams = {
    open: (_request, handler) => {
      scene.handler = handler
      open(scene, handler)
      return {
        pause: () => {},
        resume: () => {},
        abort: () => {
          scene.aborted = true
        },
      }
    },
  }
  const serving = new Serving(depsOf(scene, upstreams, settle), ticket)
  const [candidate] = ticket.plan.candidates
  assert(candidate !== undefined, 'the ticket has a candidate')
  return { scene, connection, ticket, serve: () => serving.legTo(candidate).serve() }
}

function depsOf(scene: Scene, upstreams: Upstreams, settle?: DispatchDeps['settle']): DispatchDeps {
  return {
    health: createHealthStore({ failures: 5, openMs: 1_000 }, () => 0),
    noteAnswered: () => {},
    refusedFields: { note: () => undefined },
    retries: { earn: () => {}, spend: () => false },
    hedging: idleHedging,
    keepAlives: { watch: () => {}, watched: 0, stop: () => {} },
    keepAliveOf: () => chatDialect.keepAlive,
    begin: createBeginExchange({
      upstreams,
      prepare: () => ({ request, ignored: [] }),
      makeReader: (_ticket, _candidate, contentType, listener) =>
        chooseReader(recordedContext, pairOf(chatDialect, vendors.openai), { stream: true, contentType }, listener),
      readFailure: () => protocolOf(vendors.openai).readFailure,
    }),
    failFrames: (_ticket, _candidate, error) => errorFrames(error),
    settle: (ticket, outcome) => {
      ticket.settlement ??= note(scene, ticket, outcome, settle)
      return ticket.settlement
    },
    watchOutput: (_ticket, _output, refused) => {
      scene.exhaust = refused
    },
    keepOutput: null,
    storeResponse: null,
    noteUnbilledCancel: () => {},
    watchStop: () => {},
    onError: (error) => scene.errors.push(error),
    nowMs: Date.now,
    wait: async () => {},
  }
}

function note(scene: Scene, ticket: Ticket, outcome: Outcome, settle?: DispatchDeps['settle']) {
  scene.outcomes.push(outcome)
  return settle?.(ticket, outcome) ?? Promise.resolve(nanoUsd(5n))
}

const silent: UpstreamHandler = { headers: () => {}, data: () => {}, end: () => {}, failed: () => {} }
const request = {
  origin: 'http://upstream.test',
  path: '/',
  headers: {},
  body: '',
  headersTimeoutMs: 1,
  bodyTimeoutMs: 1,
  connectTimeoutMs: 1,
}
const eventStream = { 'content-type': 'text/event-stream' }
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
const whole = bytesOf(goodStream({}))
const withoutDone = whole.subarray(0, whole.indexOf('data: [DONE]'))

describe('serving a stream', () => {
  it('an exchange that fails while it is being opened is a failed attempt, no fault of ours', async () => {
    const { serve } = stage((_scene, handler) => handler.failed({ kind: 'unreachable', message: 'no such header' }))
    expect(await serve()).toEqual({ kind: 'failed', failure: { kind: 'unreachable', message: 'no such header' } })
  })

  it('[MONEY-11] an answer that comes at once has its attempt noted before it is settled', async () => {
    const { serve, ticket, scene } = stage((_scene, handler) => {
      handler.headers(200, eventStream)
      handler.data(whole)
    })
    await serve()
    expect(ticket.attempts.map(({ outcome }) => outcome)).toEqual(['answered'])
    expect(scene.outcomes).toMatchObject([{ kind: 'answered' }])
  })

  it('[MONEY-08] nothing that shows the cost leaves before the settle is done', async () => {
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof nanoUsd>>()
    const { serve, connection } = stage(
      (_scene, handler) => {
        handler.headers(200, eventStream)
        handler.data(whole)
      },
      () => promise,
    )
    await serve()
    await turn()
    expect(connection.sent).toContain('world')
    expect(connection.sent).not.toMatch(/usage":\{|\[DONE\]/)
    resolve(nanoUsd(5n))
    await turn()
    expect(connection.sent).toContain('"cost":0.000000005')
    expect(connection.ended).toBe(true)
  })

  it('a settle that nobody took ends the stream with an error frame and shows no cost', async () => {
    const { serve, connection, scene } = stage(
      (_scene, handler) => {
        handler.headers(200, eventStream)
        handler.data(whole)
      },
      () => Promise.reject(new Error('disk full')),
    )
    await serve()
    await turn()
    expect(connection.ended).toBe(true)
    expect(connection.sent).not.toContain('"cost"')
    expect(connection.sent).not.toContain('disk full')
    expect(connection.sent).toMatch(/data: \{"error":.*\}\n\ndata: \[DONE\]\n\n$/)
    expect(scene.errors).toHaveLength(1)
  })

  it('[HOLD-09] an upstream that breaks off after its usage has still answered', async () => {
    const { serve, scene, connection } = stage((_scene, handler) => {
      handler.headers(200, eventStream)
      handler.data(withoutDone)
    })
    await serve()
    scene.handler.failed({ kind: 'broken', message: 'reset' })
    await turn()
    expect(scene.outcomes).toMatchObject([{ kind: 'answered', answer: { finishReason: 'stop' } }])
    expect(connection.sent.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  it('[HOLD-12] a refused extension does not cut off an answer whose usage has come', async () => {
    const { serve, scene } = stage((_scene, handler) => {
      handler.headers(200, eventStream)
      handler.data(withoutDone)
    })
    await serve()
    scene.exhaust('wallet')
    await turn()
    expect(scene.outcomes).toEqual([])
    scene.handler.end()
    await turn()
    expect(scene.outcomes).toMatchObject([{ kind: 'answered' }])
  })

  it('[STREAM-12] a refused extension cancels the upstream', async () => {
    const { serve, scene, connection } = stage((_scene, handler) => {
      handler.headers(200, eventStream)
      handler.data(whole.subarray(0, 700))
    })
    await serve()
    scene.exhaust('wallet')
    await turn()
    expect(scene.aborted).toBe(true)
    expect(scene.outcomes).toMatchObject([{ kind: 'refunded', reason: 'credit_exhausted' }])
    expect(connection.sent).toContain('insufficient_credits')
  })

  it('[STREAM-12] so it does where usage has come again and again, but no end', async () => {
    const { serve, scene } = stage((_scene, handler) => {
      handler.headers(200, eventStream)
      handler.data(whole.subarray(0, whole.indexOf('\n\n', 400) + 2))
      handler.data(Buffer.from('data: {"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}}\n\n'))
    })
    await serve()
    scene.exhaust('wallet')
    await turn()
    expect(scene.aborted).toBe(true)
    expect(scene.outcomes).toMatchObject([{ kind: 'refunded', reason: 'credit_exhausted' }])
  })

  it.each([
    ['wallet', 'insufficient_credits'],
    ['key_month', 'spend_limit_exceeded'],
    ['team_month', 'budget_cap_reached'],
    ['member_minute', 429],
  ])('[HOLD-12] a refused extension names what refused it: %s', async (scope, code) => {
    const { serve, scene, connection } = stage((_scene, handler) => {
      handler.headers(200, eventStream)
      handler.data(whole.subarray(0, 700))
    })
    await serve()
    scene.exhaust(scope)
    await turn()
    expect(connection.sent).toContain(`"code":${JSON.stringify(code)}`)
  })

  it('[HOLD-05] a client who leaves and a stream that ends meanwhile settle once', async () => {
    const { serve, scene, connection } = stage((_scene, handler) => {
      handler.headers(200, eventStream)
      handler.data(whole.subarray(0, 700))
    })
    await serve()
    connection.leave()
    scene.handler.data(whole.subarray(700))
    scene.handler.end()
    await turn()
    expect(scene.outcomes).toMatchObject([{ kind: 'refunded', reason: 'client_cancelled', cancelled: true }])
    expect(scene.aborted).toBe(true)
  })
})
