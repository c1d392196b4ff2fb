import { describe, expect, it } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { asGatewayError, GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import type { UpstreamRefusal } from '#providers/refusal.ts'
import { recordingCaller, testTicket } from '#test/streams/test-ticket.ts'
import type { Outcome } from '../types.ts'
import type { AttemptResult } from './attempt.ts'
import { createDispatch } from './dispatch.ts'
import type { DispatchDeps } from './dispatch-deps.ts'
import { createHealthBook } from './health-book.ts'
import { createRefusedFields } from './refused-fields.ts'

const [first] = testTicket().plan.candidates
assert(first !== undefined, 'the test ticket has a candidate')
const candidateOf = (name: string): Candidate => ({
  ...(first ?? expect.fail()),
  account: { ...(first ?? expect.fail()).account, id: name, name },
})
const [one, two] = [candidateOf('one'), candidateOf('two')]

const answer = { usage: null, finishReason: 'stop', nativeFinishReason: 'stop' }
const complete: AttemptResult = { kind: 'complete', answer, close: (cost) => `cost ${cost}` }
const failed: AttemptResult = { kind: 'failed', failure: { kind: 'unreachable', message: 'nobody there' } }
const broken: AttemptResult = { kind: 'failed', failure: { kind: 'timeout', message: 'too slow' } }
const refused = (change: Partial<UpstreamRefusal>): AttemptResult => ({
  kind: 'refused',
  refusal: {
    action: 'fail-over',
    errorName: 'upstreamUnavailable',
    message: 'for the client',
    inside: 'for the log',
    retryAfterMs: null,
    status: 500,
    ...change,
  },
})
const refusing = (field: string) =>
  refused({ action: 'give-up', errorName: 'malformedRequest', status: 400, inside: `Unknown parameter: '${field}'` })
const limited = refused({ errorName: 'upstreamRateLimited', status: 429, retryAfterMs: 9_000 })

function scriptedRetries() {
  const budget = { earned: 0, spent: 0, left: 1 }
  const earn = () => {
    budget.earned += 1
  }
  const spend = () => {
    budget.spent += 1
    return budget.left-- > 0
  }
  return { budget, retries: { earn, spend } }
}

/** Candidates that give what they are told, one result after another, on a clock that waiting moves. */
function stage(script: Record<string, (AttemptResult | GatewayError)[]>, rules = { failures: 2, openMs: 30_000 }) {
  let nowMs = 1_000
  const asked: string[] = []
  const waits: number[] = []
  const outcomes: Outcome[] = []
  const told: string[] = []
  const reported: string[] = []
  const notes = {
    succeeded: (id: string) => told.push(`${id} is well`),
    failed: (id: string, reason: string) => told.push(`${id}: ${reason}`),
  }
  const { budget, retries } = scriptedRetries()
  const caller = recordingCaller()
  const deps: DispatchDeps = {
    health: createHealthBook(rules, () => nowMs, notes),
    retries,
    refusedFields: createRefusedFields(
      () => nowMs,
      (_candidate, field) => reported.push(field),
    ),
    noteAnswered: () => {},
    keepAlives: { watch: () => {}, watched: 0, stop: () => {} },
    keepAliveOf: () => null,
    begin: (_ticket, candidate) => {
      asked.push(candidate.account.name)
      const result = script[candidate.account.name]?.shift() ?? expect.fail(`${candidate.account.name} is asked again`)
      if (result instanceof GatewayError) throw result
      const attempt = {
        result: Promise.resolve(result),
        status: 200,
        finalAnswer: null,
        failFrames: () => undefined,
        abandon: () => null,
      }
      return { attempt, ignored: [] }
    },
    failFrames: () => null,
    settle: (_ticket, outcome) => {
      outcomes.push(outcome)
      return Promise.resolve(nanoUsd(5n))
    },
    watchOutput: () => {},
    noteUnbilledCancel: () => {},
    onError: (error) => expect.fail(String(error)),
    nowMs: () => nowMs,
    wait: (ms) => {
      waits.push(ms)
      nowMs += ms
      return Promise.resolve()
    },
  }
  const run = (candidates: readonly Candidate[] = [one, two], body: JsonObject = {}) => {
    const plain = testTicket({ candidates, isOpenEnded: false }, caller)
    const ticket = { ...plain, arrival: { ...plain.arrival, body } }
    return { ticket, reply: createDispatch(deps)(ticket) }
  }
  const refusal = async (candidates?: readonly Candidate[], body?: JsonObject) => {
    const { ticket, reply } = run(candidates, body)
    const error = await reply.then(
      () => expect.fail('it was served'),
      (reason: unknown) => asGatewayError(reason),
    )
    return { ticket, error }
  }
  return { run, refusal, deps, caller, asked, waits, outcomes, told, reported, budget }
}

const document = { kind: 'document', headers: {}, body: 'cost 5' }

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
    deps.health.failed(one, 'upstream_unavailable')
    const { error } = await refusal()
    expect(error).toMatchObject({ errorName, message: 'for the client', inside: 'for the log' })
    expect(asked).toEqual(['one'])
    expect(outcomes).toMatchObject([{ kind: 'refunded', reason, error }])
    // It has read the call, so it is well, and what it failed before is forgiven.
    deps.health.failed(one, 'upstream_unavailable')
    expect(deps.health.judge(one).usable).toBe(true)
  })

  it('asks nobody else once a byte has reached the client', async () => {
    const { refusal, asked, caller } = stage({ one: [failed] })
    caller.startStream({})
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
    expect(deps.health.judge(one).usable).toBe(true)
  })
})

describe('a second try', () => {
  it('goes to whoever may have had a hiccup, after a moment', async () => {
    const { run, asked, waits, budget } = stage({ one: [failed, complete] })
    expect(await run([one]).reply).toEqual(document)
    expect(asked).toEqual(['one', 'one'])
    expect(waits).toEqual([200])
    expect(budget.spent).toBe(1)
  })

  it('is not made without a budget for it', async () => {
    const { refusal, asked, budget, waits } = stage({ one: [failed] })
    budget.left = 0
    await refusal([one])
    expect(asked).toEqual(['one'])
    expect(waits).toEqual([])
  })

  it('is not made where others have found out meanwhile that it is no hiccup', async () => {
    const { refusal, asked, deps } = stage({ one: [failed] })
    deps.wait = () => {
      deps.health.failed(one, 'upstream_unreachable')
      return Promise.resolve()
    }
    await refusal([one])
    expect(asked).toEqual(['one'])
  })

  it('is not made where the client was sent a byte meanwhile', async () => {
    const { refusal, asked, deps, caller } = stage({ one: [failed] })
    deps.wait = () => {
      caller.startStream({})
      return Promise.resolve()
    }
    await refusal([one])
    expect(asked).toEqual(['one'])
  })

  it('waits for as long as the upstream asked for', async () => {
    const soon = refused({ errorName: 'upstreamRateLimited', status: 429, retryAfterMs: 1_500 })
    const { run, waits } = stage({ one: [soon, complete] })
    expect(await run([one]).reply).toEqual(document)
    expect(waits).toEqual([1_500])
  })
})

describe('a field of the gateway that a candidate refuses', () => {
  const strict = { failures: 1, openMs: 30_000 }

  it('is left out, and the candidate is asked again', async () => {
    const { run, asked, waits, reported, budget } = stage({ one: [refusing('seed'), complete] })
    expect(await run().reply).toEqual(document)
    expect(asked).toEqual(['one', 'one'])
    expect(reported).toEqual(['seed'])
    expect(waits).toEqual([])
    expect(budget.spent).toBe(0)
  })

  it.each([
    ['the same', 'seed'],
    ['another one', 'user'],
  ])('is no concern of the client: the next candidate is asked where %s is refused then', async (_what, field) => {
    const { run, asked, deps, outcomes } = stage({ one: [refusing('seed'), refusing(field)], two: [complete] }, strict)
    const { ticket, reply } = run()
    expect(await reply).toEqual(document)
    expect(asked).toEqual(['one', 'one', 'two'])
    expect(outcomes).toMatchObject([{ kind: 'answered', candidate: two }])
    expect(ticket.attempts.map(({ outcome }) => outcome)).toEqual(['malformedRequest', 'malformedRequest', 'answered'])
    expect(deps.health.judge(one)).toEqual({ usable: true, isProbe: false })
  })

  it('is left out by a request, too, that was under way when another one found out', async () => {
    const { run, asked, reported } = stage({ one: [refusing('seed'), complete, refusing('seed'), complete] })
    await run().reply
    expect(await run().reply).toEqual(document)
    expect(asked).toEqual(['one', 'one', 'one', 'one'])
    expect(reported).toEqual(['seed'])
  })

  it('does not hide what is wrong with the rest of the request', async () => {
    const unfit = refused({
      action: 'give-up',
      errorName: 'malformedRequest',
      status: 400,
      message: '`n` is too large.',
    })
    const { refusal, asked } = stage({ one: [refusing('seed'), unfit] })
    expect((await refusal()).error).toMatchObject({ errorName: 'malformedRequest', message: '`n` is too large.' })
    expect(asked).toEqual(['one', 'one'])
  })

  it("is the client's to mend where the client sent it", async () => {
    const { refusal, asked, reported } = stage({ one: [refusing('seed')] })
    expect((await refusal([one, two], { seed: 1 })).error.errorName).toBe('malformedRequest')
    expect(asked).toEqual(['one'])
    expect(reported).toEqual([])
  })

  it('fails the request as unavailable where nobody else can be asked', async () => {
    const { refusal, budget } = stage({ one: [refusing('seed'), refusing('seed')] })
    budget.left = 0
    const { error } = await refusal([one])
    expect(error.errorName).toBe('upstreamUnavailable')
    expect(error.inside).toBe('one: upstreamUnavailable: The upstream refuses a field that the gateway sent.')
  })
})

describe('candidates that are not well', () => {
  it('are passed over, and the record says so', async () => {
    const { run, asked, deps } = stage({ two: [complete] }, { failures: 1, openMs: 30_000 })
    deps.health.failed(one, 'upstream_unreachable')
    const { ticket, reply } = run()
    await reply
    expect(asked).toEqual(['two'])
    expect(ticket.skipped).toEqual([{ model: 'acme/model', provider: 'openai', rule: 'isolated' }])
  })

  it('are refused with 503 where there are no others', async () => {
    const { refusal, asked, deps } = stage({}, { failures: 1, openMs: 30_000 })
    deps.health.failed(one, 'upstream_unreachable')
    deps.health.failed(two, 'upstream_unreachable')
    const { error } = await refusal()
    expect(error.row).toMatchObject({ status: 503, code: 'upstream_unavailable' })
    expect(error).toMatchObject({
      message: 'Every upstream provider of this model is isolated after failures. Nothing was charged; retry shortly.',
      inside: 'one, two',
      retryAfterS: 5,
    })
    expect(asked).toEqual([])
  })

  it('are refused with 429 and their pause where they have asked for one', async () => {
    const { refusal, deps, asked } = stage({})
    deps.health.throttled(one, 7_500)
    const { error, ticket } = await refusal([one])
    expect(error.row).toMatchObject({ status: 429, code: 'upstream_rate_limited' })
    expect(error).toMatchObject({ retryAfterS: 8, inside: 'one: upstreamRateLimited: not tried: throttled' })
    expect(ticket.skipped).toMatchObject([{ rule: 'throttled' }])
    expect(asked).toEqual([])
  })

  it('do not hide what another said that was asked', async () => {
    const { refusal, deps } = stage({ two: [broken] }, { failures: 2, openMs: 30_000 })
    deps.health.failed(one, 'upstream_unreachable')
    deps.health.failed(one, 'upstream_unreachable')
    expect((await refusal()).error.errorName).toBe('upstreamStalled')
  })

  it('are found again by one request, which is known as their trial', async () => {
    const { run, deps, asked } = stage({ one: [complete] }, { failures: 1, openMs: 30_000 })
    deps.health.failed(one, 'upstream_unreachable')
    await deps.wait(30_000)
    const { reply } = run([one])
    expect(deps.health.newsOf([one])).not.toBeNull()
    expect(await reply).toEqual(document)
    expect(deps.health.newsOf([one])).toBeNull()
    expect(asked).toEqual(['one'])
    expect(deps.health.judge(one)).toEqual({ usable: true, isProbe: false })
  })

  it('are tried by a request that has nobody else, when a tenth of their time is over', async () => {
    const { run, deps, asked, waits } = stage({ one: [complete] }, { failures: 1, openMs: 1_000 })
    deps.health.failed(one, 'upstream_unreachable')
    const { ticket, reply } = run([one])
    expect(await reply).toEqual(document)
    expect(waits).toEqual([100])
    expect(asked).toEqual(['one'])
    expect(ticket.skipped).toEqual([])
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
