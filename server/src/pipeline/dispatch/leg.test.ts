import { describe, expect, it } from 'vitest'
import { noUsage } from '#domain/inference/usage.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { failed, one, refused, two } from '#test/streams/dispatch-stage.ts'
import { endOf, hedgedStage, type Step, turn } from '#test/streams/hedged-stage.ts'
import { testPayer, testTicket } from '#test/streams/test-ticket.ts'
import { usualTokensMax } from '../output-tokens-max.ts'
import type { AttemptResult } from './attempt/attempt.ts'
import type { DispatchDeps } from './dispatch-deps.ts'
import { Leg, type LegClient } from './leg.ts'

const { call } = testTicket().plan
const whole = { call: { ...call, stream: false } }

/** A stage where legs of `two` begin when they are told to. */
function lateBegin() {
  const gate = Promise.withResolvers<GatewayError | null>()
  const scene = hedgedStage()
  const { begin } = scene.deps
  scene.deps.begin = (ticket, candidate, watcher) =>
    candidate === two
      ? gate.promise.then((error) => {
          if (error !== null) throw error
          return begin(ticket, candidate, watcher)
        })
      : begin(ticket, candidate, watcher)
  return { scene, begin: gate.resolve, fail: gate.reject }
}

describe('a leg that lost', () => {
  it('[NEXT-103] is cancelled right after it is sent, if it lost during preparation', async () => {
    const { scene, begin } = lateBegin()
    await scene.play('late', 'one opens')
    expect(scene.attempts()).toEqual(['two hedge_lost', 'one answered'])
    expect(scene.ticket.attempts[0]).toMatchObject({ status: null, durationMs: 100, estimatedUsd: '0.000009' })
    expect(scene.log).toContain('lost two after 100 ms with 0 tokens')
    begin(null)
    await turn()
    expect(scene.log.slice(-2)).toEqual(['ask two', 'cancel two'])
    expect(scene.attempts()).toEqual(['two hedge_lost', 'one answered'])
  })

  it('is no fault, even if it could not be sent', async () => {
    const { scene, begin } = lateBegin()
    await scene.play('late', 'one opens')
    begin(new GatewayError('malformedRequest', { message: 'no such field' }))
    await turn()
    expect(scene.attempts()).toEqual(['two hedge_lost', 'one answered'])
    expect(scene.log.filter((line) => line.startsWith('error'))).toEqual([])
  })

  it('reports an internal fault', async () => {
    const { scene, fail } = lateBegin()
    await scene.play('late', 'one opens')
    fail(new TypeError('a bug'))
    await turn()
    expect(scene.log.at(-1)).toBe('error a bug')
    expect(scene.settled.reply).toEqual({ kind: 'handled' })
  })

  it('calls no upstream and costs nothing, if it lost before it started', async () => {
    const { deps, ticket, log } = hedgedStage()
    const client: LegClient = {
      gone: false,
      isStopped: () => false,
      claim: () => {},
      over: () => {},
      begin: () => {},
      endStream: () => {},
      exhaust: () => {},
    }
    const leg = new Leg(deps, ticket, client, one)
    leg.lose({ wasLate: true, document: null })
    expect(await leg.serve()).toEqual({ kind: 'lost' })
    expect(leg.isRunning).toBe(false)
    expect(log).toEqual([])
    expect(ticket.attempts).toEqual([])
  })

  it.each([
    ['as much output as the winner', { textOutput: 400, reasoningOutput: 50 }, 450],
    ['what it has sent, if that is more', { textOutput: 5 }, 7],
    ['no more output than its model can make', { textOutput: 2_000_000_000 }, usualTokensMax],
  ])('[NEXT-107] costs the operator %s, because a document arrives as a whole', async (_name, said, tokens) => {
    const scene = hedgedStage()
    await scene.play('late')
    const answer = { usage: { ...noUsage, ...said }, finishReason: 'stop', nativeFinishReason: 'stop' }
    scene.legs.get('two')?.give({ kind: 'complete', answer, close: () => '' })
    await turn()
    expect(scene.log).toContain(`lost one after 100 ms with ${tokens} tokens`)
  })

  it('[NEXT-108] changes no circuit', async () => {
    const scene = hedgedStage()
    const fail = () => scene.deps.health.failed(one, { payer: testPayer, reason: 'upstream_unavailable' })
    // The fifth failure in a row opens the circuit.
    for (let failure = 0; failure < 4; failure += 1) fail()
    await scene.play('late', 'two opens', 'two ends')
    expect(scene.deps.health.judge(one, testPayer)).toEqual({ usable: true, isProbe: false })
    fail()
    expect(scene.deps.health.judge(one, testPayer).usable).toBe(false)
  })
})

const throwingFor = (bad: readonly string[], scene = hedgedStage()) => {
  const { begin } = scene.deps
  scene.deps.begin = (ticket, candidate, watcher) => {
    if (bad.includes(candidate.account.name)) throw new TypeError(`a bug with ${candidate.account.name}`)
    return begin(ticket, candidate, watcher)
  }
  return scene
}

describe('two legs', () => {
  it('report the internal fault of one leg, and the other one answers', async () => {
    const scene = throwingFor(['two'])
    await scene.play('late', 'one opens', 'one ends')
    expect(scene.settled).toEqual({ reply: { kind: 'handled' }, error: null })
    expect(endOf(scene.outcomes)).toEqual(['one charged'])
    expect(scene.log).toContain('error a bug with two')
  })

  it('end with the internal fault if neither answers', async () => {
    const scene = throwingFor(['two'])
    await scene.play('late', 'one fails')
    expect(scene.settled.error?.inside).toContain('a bug with two')
    expect(scene.log).not.toContain('error a bug with two')
  })

  it('retry one leg without a rejected field while the other one runs', async () => {
    let notes = 0
    const refusedFields: DispatchDeps['refusedFields'] = { note: () => (notes++ === 0 ? 'reasoning' : undefined) }
    const scene = hedgedStage({}, { refusedFields })
    await scene.play('late', 'one gives up', 'one opens', 'one ends')
    expect(scene.attempts()).toEqual(['one malformedRequest', 'two hedge_lost', 'one answered'])
    expect(endOf(scene.outcomes)).toEqual(['one charged'])
    const other = hedgedStage({}, { refusedFields: { note: () => (notes++ === 1 ? 'reasoning' : undefined) } })
    notes = 1
    await other.play('late', 'two gives up', 'one opens', 'one ends')
    expect(other.attempts()).toEqual(['two malformedRequest', 'two hedge_lost', 'one answered'])
  })

  it('keep the error text of a failed leg with its own attempt', async () => {
    const scene = hedgedStage()
    await scene.play('late', 'one fails', 'two opens')
    expect(scene.ticket.attempts).toMatchObject([{ account: 'one', said: 'nobody there' }, { account: 'two' }])
    expect(scene.ticket.attempts[1]).not.toHaveProperty('said')
    const broken = hedgedStage()
    await broken.play('late', 'two opens', 'two breaks')
    expect(broken.ticket.attempts).toMatchObject([{ account: 'one' }, { account: 'two', said: 'broke off' }])
    expect(broken.ticket.attempts[0]).not.toHaveProperty('said')
    expect(broken.connection.sent).toBe('error of two')
  })

  it('omit headers that differ between them once a comment has opened the stream', async () => {
    const begins: (() => void)[] = []
    const special: Partial<DispatchDeps> = {
      keepAliveOf: () => ({ bytes: ': alive' }),
      keepAlives: { watch: (_connection, _keepAlive, begin) => begins.push(begin), watched: 0, stop: () => {} },
    }
    const headersAt = async (...steps: readonly Step[]) => {
      const explanation = { candidates: [], excluded: [], autoTier: 'coding' }
      const scene = hedgedStage({ isOpenEnded: true, explanation }, special)
      const heads: object[] = []
      scene.connection.startStream = (headers) => heads.push(headers)
      await scene.play(...steps)
      begins.pop()?.()
      return heads
    }
    const resolved = { 'x-auto-resolved-model': 'acme/model' }
    expect(await headersAt('late')).toEqual([resolved])
    expect(await headersAt()).toEqual([{ ...resolved, 'x-params-ignored': 'of_one', 'x-output-cap': '1024' }])
    const afterTwo = await headersAt('late', 'one fails')
    expect(afterTwo).toEqual([{ ...resolved, 'x-params-ignored': 'of_two', 'x-output-cap': '1024' }])
  })

  it('[NEXT-103] are both cancelled when the run is stopped, and the client is told why', async () => {
    const scene = hedgedStage({}, {}, 'job-1')
    await scene.play('late', 'stop')
    expect(scene.settled.error).toMatchObject({ errorName: 'runStopped' })
    expect(endOf(scene.outcomes)).toEqual(['one client_cancelled'])
    expect(scene.attempts()).toEqual(['two hedge_lost', 'one abandoned'])
    const opened = hedgedStage({}, {}, 'job-1')
    await opened.play('late', 'two opens', 'stop')
    expect(opened.settled.reply).toEqual({ kind: 'handled' })
    expect(endOf(opened.outcomes)).toEqual(['two client_cancelled'])
    expect(opened.connection.sent).toBe('error of two')
    expect(opened.connection.ended).toBe(true)
  })

  it('[NEXT-103] charge a client that disconnects for at most one of them', async () => {
    const final = { usage: null, finishReason: 'stop', nativeFinishReason: 'stop' }
    const scene = hedgedStage(whole)
    await scene.play('late')
    for (const name of ['one', 'two']) Object.assign(scene.legs.get(name)?.attempt ?? {}, { finalAnswer: final })
    scene.act('leave')
    await turn()
    expect(endOf(scene.outcomes)).toEqual(['one charged, cancelled'])
    expect(scene.settled.reply).toEqual({ kind: 'handled' })
    expect(scene.attempts()).toEqual(['two hedge_lost', 'one abandoned'])
  })

  it('store the answer of the winner if the request has an idempotency key', async () => {
    const scene = hedgedStage()
    const recording = { complete: async () => {}, settled: () => {}, forget: async () => {} }
    const { ticket } = scene
    scene.start({ ...ticket, arrival: { ...ticket.arrival, recording } })
    await turn()
    for (const step of ['late', 'two opens', 'two ends'] as const) {
      scene.act(step)
      await turn()
    }
    const [outcome] = scene.outcomes
    expect(outcome).toMatchObject({ kind: 'answered', candidate: two })
    expect(outcome?.kind === 'answered' && outcome.rest?.(5n as never)).toEqual({ bytes: 'cost 5' })
  })
})

describe('a leg', () => {
  it('runs until its upstream has answered or failed', async () => {
    const scene = hedgedStage({ hedgeAfter: 60_000 })
    await scene.play('one fails')
    expect(scene.log).toEqual(['ask one', 'timer over', 'ask two'])
    scene.legs.get('two')?.give(failed)
    await turn()
    expect(endOf(scene.outcomes)).toEqual(['two upstream_failed'])
  })

  it("shows operators the upstream's error text without the client's text", async () => {
    const body = { messages: [{ role: 'user', content: 'the secret of the mill' }] }
    const scene = hedgedStage({ call: { ...call, body }, candidates: [one] })
    await scene.play()
    const message = 'cannot read "the secret of the mill"'
    scene.legs.get('one')?.give({ kind: 'failed', failure: { kind: 'broken', message } })
    await turn()
    const [attempt] = scene.ticket.attempts
    expect(attempt?.said).toContain('cannot read')
    expect(attempt?.said).not.toContain('mill')
    expect(scene.settled.error?.inside).toContain(attempt?.said)
    expect(scene.settled.error?.inside).not.toContain('mill')
  })

  it.each([
    [{ inside: 'for the log' }, undefined, 'for the log'],
    [{ inside: '' }, 'a page', 'a page'],
  ])('keeps what a refusal says: %j, with the body %j', async (change, words, said) => {
    const result = refused(change)
    const scene = hedgedStage({ candidates: [one] })
    await scene.play()
    scene.legs.get('one')?.give(words === undefined ? result : ({ ...result, words } as AttemptResult))
    await turn()
    expect(scene.ticket.attempts).toMatchObject([{ outcome: 'upstreamUnavailable', said }])
  })

  it('records why its candidate turned out to be unfit', async () => {
    const scene = hedgedStage({ candidates: [one] })
    await scene.play()
    scene.legs.get('one')?.give({ kind: 'unfit', error: new GatewayError('malformedRequest', { message: 'no' }) })
    await turn()
    expect(scene.ticket.attempts).toMatchObject([{ outcome: 'malformedRequest' }])
    expect(scene.ticket.attempts[0]).not.toHaveProperty('said')
    expect(scene.settled.error?.errorName).toBe('malformedRequest')
  })
})
