import { describe, expect, it } from 'vitest'
import { testPayer } from '#test/streams/test-ticket.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { AttemptResult } from './attempt/attempt.ts'
import {
  one,
  two,
  complete,
  failed,
  broken,
  refused,
  refusing,
  limited,
  stage,
  document,
} from '#test/streams/dispatch-stage.ts'

describe('dispatch', () => {
  it('asks the first candidate, and nobody else where that answers', async () => {
    const { run, asked, outcomes, budget } = stage({ one: [complete] })
    expect(await run().reply).toEqual(document)
    expect(asked).toEqual(['one'])
    expect(outcomes).toMatchObject([{ kind: 'answered', cancelled: false }])
    expect(budget).toMatchObject({ earned: 1, spent: 0 })
  })

  it.each([
    ['fails', failed],
    ['refuses', refused({})],
    ['limits its rate', limited],
    ['can not be told', new GatewayError('malformedRequest', { message: 'no such field' })],
  ])('[ROUTE-16] asks the next one where the first %s', async (_what, result) => {
    const { run, asked } = stage({ one: [result], two: [complete] })
    expect(await run().reply).toEqual(document)
    expect(asked).toEqual(['one', 'two'])
  })

  it.each<[string, AttemptResult]>([
    ['a stream has begun', { kind: 'opened' }],
    ['the client has left', { kind: 'abandoned' }],
  ])('has nothing left to do where %s', async (_what, result) => {
    const { run, asked } = stage({ one: [result] })
    expect(await run().reply).toEqual({ kind: 'handled' })
    expect(asked).toEqual(['one'])
  })

  it.each([
    ['malformedRequest', 'upstream_rejected'],
    ['pipelineError', 'unusable_answer'],
  ] as const)('asks nobody else what nobody will take: %s', async (errorName, reason) => {
    const { refusal, asked, outcomes, deps } = stage({ one: [refused({ action: 'give-up', errorName, status: 400 })] })
    deps.health.failed(one, { payer: testPayer, reason: 'upstream_unavailable' })
    const { error } = await refusal()
    expect(error).toMatchObject({ errorName, message: 'for the client', inside: 'for the log' })
    expect(asked).toEqual(['one'])
    expect(outcomes).toMatchObject([{ kind: 'refunded', reason, error }])
    // The upstream read the request, so it is healthy and its earlier failures are cleared.
    deps.health.failed(one, { payer: testPayer, reason: 'upstream_unavailable' })
    expect(deps.health.judge(one, testPayer).usable).toBe(true)
  })

  it('asks nobody else once a byte has reached the client', async () => {
    const { refusal, asked, connection } = stage({ one: [failed] })
    connection.startStream({})
    const { error } = await refusal()
    expect(asked).toEqual(['one'])
    expect(error.errorName).toBe('upstreamUnreachable')
  })

  it('refunds and says what failed where nobody serves', async () => {
    const { refusal, outcomes, asked, waits } = stage({ one: [broken], two: [broken] })
    const { error, ticket } = await refusal()
    expect(error.row).toMatchObject({ status: 504 })
    expect(error.inside).toBe('one: upstreamStalled: too slow; two: upstreamStalled: too slow')
    expect(outcomes).toMatchObject([{ kind: 'refunded', reason: 'upstream_failed', cancelled: false }])
    expect(asked).toEqual(['one', 'two'])
    expect(waits).toEqual([])
    expect(ticket.attempts.map(({ outcome }) => outcome)).toEqual(['timeout', 'timeout'])
  })

  it('tells the client in its own words what no upstream could be told', async () => {
    const unfit = new GatewayError('malformedRequest', { message: '`n` is too large.' })
    const { refusal, deps } = stage({ one: [unfit] }, { failures: 1, openMs: 30_000 })
    const { error } = await refusal([one])
    expect(error).toMatchObject({ errorName: 'malformedRequest', message: '`n` is too large.' })
    expect(deps.health.judge(one, testPayer).usable).toBe(true)
  })
})

describe('a field of the gateway that a candidate refuses', () => {
  const strict = { failures: 1, openMs: 30_000 }

  it('is left out, and the candidate is asked again', async () => {
    const { run, asked, waits, reported, budget } = stage({ one: [refusing('reasoning'), complete] })
    expect(await run().reply).toEqual(document)
    expect(asked).toEqual(['one', 'one'])
    expect(reported).toEqual(['reasoning'])
    expect(waits).toEqual([])
    expect(budget.spent).toBe(0)
  })

  it('is left out with the next one that is refused', async () => {
    const { run, asked, reported } = stage({ one: [refusing('reasoning'), refusing('user'), complete] })
    expect(await run().reply).toEqual(document)
    expect(asked).toEqual(['one', 'one', 'one'])
    expect(reported).toEqual(['reasoning', 'user'])
  })

  it.each([
    ['the same is refused again', ['reasoning', 'reasoning']],
    ['a third one is refused', ['reasoning', 'user', 'verbosity']],
  ])('is no concern of the client: the next candidate is asked where %s', async (_what, fields) => {
    const { run, asked, deps, outcomes } = stage({ one: fields.map(refusing), two: [complete] }, strict)
    const { ticket, reply } = run()
    expect(await reply).toEqual(document)
    expect(asked).toEqual([...fields.map(() => 'one'), 'two'])
    expect(outcomes).toMatchObject([{ kind: 'answered', candidate: two }])
    expect(ticket.attempts.map(({ outcome }) => outcome)).toEqual([...fields.map(() => 'malformedRequest'), 'answered'])
    expect(deps.health.judge(one, testPayer)).toEqual({ usable: true, isProbe: false })
  })

  it('is left out by a request, too, that was under way when another one found out', async () => {
    const { run, asked, reported } = stage({ one: [refusing('reasoning'), complete, refusing('reasoning'), complete] })
    await run().reply
    expect(await run().reply).toEqual(document)
    expect(asked).toEqual(['one', 'one', 'one', 'one'])
    expect(reported).toEqual(['reasoning', 'reasoning'])
  })

  it('does not hide what is wrong with the rest of the request', async () => {
    const unfit = refused({
      action: 'give-up',
      errorName: 'malformedRequest',
      status: 400,
      message: '`n` is too large.',
    })
    const { refusal, asked } = stage({ one: [refusing('reasoning'), unfit] })
    expect((await refusal()).error).toMatchObject({ errorName: 'malformedRequest', message: '`n` is too large.' })
    expect(asked).toEqual(['one', 'one'])
  })

  it("is the client's to mend where the client sent it", async () => {
    const { refusal, asked, reported } = stage({ one: [refusing('reasoning')] })
    expect((await refusal([one, two], { reasoning: {} })).error.errorName).toBe('malformedRequest')
    expect(asked).toEqual(['one'])
    expect(reported).toEqual([])
  })

  it('fails the request as unavailable where nobody else can be asked', async () => {
    const { refusal, budget, asked } = stage({ one: [refusing('reasoning'), refusing('reasoning')] })
    const { error } = await refusal([one])
    expect(asked).toEqual(['one', 'one'])
    expect(budget.spent).toBe(0)
    expect(error.errorName).toBe('upstreamUnavailable')
    expect(error.inside).toBe('one: upstreamUnavailable: The upstream rejected a field that the gateway sent.')
  })
})

describe('the owner of a key of its own', () => {
  const own: Candidate = { ...one, billing: 'own_key' }

  it.each<[string, AttemptResult, string[]]>([
    ['could not be reached', failed, ['one: upstream_unreachable']],
    ['failed', refused({ status: 503 }), ['one: upstream_unavailable (503)']],
    ['refused the key', refused({ errorName: 'upstreamAuthFailed', status: 401 }), ['one: upstream_auth_failed (401)']],
    ['wants fewer requests', limited, ['one: upstream_rate_limited']],
    ['would not draw this', refused({ errorName: 'noImages', status: 200 }), []],
    ['does not take such a request', refused({ errorName: 'malformedRequest', status: 400 }), []],
  ])('is told that it %s', async (_what, result, told) => {
    const scene = stage({ one: [result], two: [complete] })
    await scene.run([own, two]).reply
    expect(scene.told).toEqual(told)
  })
})

describe('C13: what concerns one request', () => {
  it('pauses no upstream that finds it too big, which is not asked again', async () => {
    const tooBig = refused({
      errorName: 'upstreamRateLimited',
      status: 413,
      retryAfterMs: 100,
      concernsRequestOnly: true,
    })
    const { refusal, asked, waits, deps } = stage({ one: [tooBig] })
    expect((await refusal([one])).error.errorName).toBe('upstreamRateLimited')
    expect(asked).toEqual(['one'])
    expect(waits).toEqual([])
    expect(deps.health.judge(one, 'another')).toEqual({ usable: true, isProbe: false })
  })

  it.each<[string, true | undefined, boolean]>([
    ['hearsay', true, true],
    ['a code', undefined, false],
  ])('opens the circuit for others by %s: %s', async (_what, concernsRequestOnly, isUsable) => {
    const badKey = refused({ errorName: 'upstreamAuthFailed', status: 400, concernsRequestOnly })
    const { refusal, deps } = stage({ one: [badKey] })
    deps.health.failed(one, { payer: 'another', reason: 'upstream_unavailable' })
    await refusal([one])
    expect(deps.health.judge(one, 'a third').usable).toBe(isUsable)
  })
})
