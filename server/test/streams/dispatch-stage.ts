import { expect } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { asGatewayError, GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { JsonObject } from '#lib/json.ts'
import type { UpstreamRefusal } from '#providers/refusal.ts'
import { idleHedging } from './idle-hedging.ts'
import { recordingConnection, testTicket } from './test-ticket.ts'
import type { Outcome } from '#pipeline/types.ts'
import type { AttemptResult } from '#pipeline/dispatch/attempt/attempt.ts'
import { createDispatch } from '#pipeline/dispatch/dispatch.ts'
import type { DispatchDeps } from '#pipeline/dispatch/dispatch-deps.ts'
import { createHealthStore } from '#pipeline/dispatch/choose/health-store.ts'
import { createRefusedFields } from '#pipeline/dispatch/attempt/refused-fields.ts'

const [first] = testTicket().plan.candidates
assert(first !== undefined, 'the test ticket has a candidate')
const candidateOf = (name: string): Candidate => ({
  ...(first ?? expect.fail()),
  account: { ...(first ?? expect.fail()).account, id: name, name },
})
export const [one, two] = [candidateOf('one'), candidateOf('two')]

const answer = { usage: null, finishReason: 'stop', nativeFinishReason: 'stop' }
export const complete: AttemptResult = { kind: 'complete', answer, close: (cost) => `cost ${cost}` }
export const failed: AttemptResult = { kind: 'failed', failure: { kind: 'unreachable', message: 'nobody there' } }
export const broken: AttemptResult = { kind: 'failed', failure: { kind: 'timeout', message: 'too slow' } }
export const refused = (change: Partial<UpstreamRefusal>): AttemptResult => ({
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
export const refusing = (field: string) =>
  refused({
    action: 'give-up',
    errorName: 'malformedRequest',
    status: 400,
    refusedField: { name: field, source: 'member' },
  })
export const limited = refused({ errorName: 'upstreamRateLimited', status: 429, retryAfterMs: 9_000 })

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

const unwatched = {
  watchOutput: () => {},
  keepOutput: null,
  storeResponse: null,
  noteUnbilledCancel: () => {},
  watchStop: () => {},
}

/** Candidates with scripted results, on a clock that advances only by waiting. */
export function stage(
  script: Record<string, (AttemptResult | GatewayError)[]>,
  rules = { failures: 2, openMs: 30_000 },
) {
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
  const connection = recordingConnection()
  const deps: DispatchDeps = {
    health: createHealthStore(rules, () => nowMs, { ownKeys: notes }),
    retries,
    hedging: idleHedging,
    refusedFields: createRefusedFields({
      refusedBy: () => [],
      suggest: (_candidate, field) => reported.push(field),
    }),
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
        outputTokensSeen: 0,
        sentBody: '{"reasoning":{},"user":"u","verbosity":"low"}',
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
    ...unwatched,
    onError: (error) => expect.fail(String(error)),
    nowMs: () => nowMs,
    wait: (ms) => {
      waits.push(ms)
      nowMs += ms
      return Promise.resolve()
    },
  }
  const run = (candidates: readonly Candidate[] = [one, two], body: JsonObject = {}) => {
    const plain = testTicket({ candidates, isOpenEnded: false }, connection)
    const ticket = { ...plain, arrival: { ...plain.arrival, body } }
    return { ticket, reply: createDispatch(deps)(ticket) }
  }
  const refusal = async (candidates?: readonly Candidate[], body?: JsonObject) => {
    const { ticket, reply } = run(candidates, body)
    return { ticket, error: await refusalOf(reply) }
  }
  return { run, refusal, deps, connection, asked, waits, outcomes, told, reported, budget }
}

function refusalOf(reply: Promise<unknown>): Promise<GatewayError> {
  return reply.then(
    () => expect.fail('it was served'),
    (reason: unknown) => asGatewayError(reason),
  )
}

export const document = { kind: 'document', headers: {}, body: 'cost 5' }
