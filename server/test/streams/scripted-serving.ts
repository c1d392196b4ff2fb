import { expect } from 'vitest'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import { assert } from '#lib/assert.ts'
import type { AttemptResult, AttemptWatcher } from '#pipeline/dispatch/attempt/attempt.ts'
import type { DispatchDeps } from '#pipeline/dispatch/dispatch-deps.ts'
import { createHealthStore } from '#pipeline/dispatch/choose/health-store.ts'
import type { Leg } from '#pipeline/dispatch/leg.ts'
import { Serving } from '#pipeline/dispatch/serving.ts'
import type { Answer, Outcome, Plan } from '#pipeline/types.ts'
import { idleHedging } from './idle-hedging.ts'
import { recordingConnection, testTicket } from './test-ticket.ts'

/** One request with a scripted client, attempt and clock; `log` records all calls on them. */
export function scriptedServing(
  change: Partial<Plan> = {},
  special: Partial<DispatchDeps> = {},
  billing: Candidate['billing'] = 'charged',
) {
  const log: string[] = []
  const outcomes: Outcome[] = []
  const { caller, ...client } = scriptedClient(log)
  const ticket = { ...testTicket({ isOpenEnded: false, ...change }, caller), replyHeaders: { 'x-request-id': 'r' } }
  const result = Promise.withResolvers<AttemptResult>()
  const attempt = scriptedAttempt(log, result.promise)
  const clock = { nowMs: 10 }
  const heard: { exhaust: (scope: string) => void; watcher: AttemptWatcher | null } = { exhaust: fail, watcher: null }
  const deps: DispatchDeps = {
    ...quietDeps(log, clock),
    begin: (_ticket, _candidate, given) => {
      heard.watcher = given
      return { attempt, ignored: [] }
    },
    settle: (one, outcome) => {
      outcomes.push(outcome)
      one.settlement = Promise.resolve(nanoUsd(5n))
      return one.settlement
    },
    watchOutput: (_ticket, output, refused) => {
      log.push(`output ${output.tokens}`)
      heard.exhaust = refused
    },
    ...special,
  }
  const serving = new Serving(deps, ticket)
  const [first] = ticket.plan.candidates
  assert(first !== undefined, 'the ticket has a candidate')
  const candidate: Candidate = { ...first, billing }
  let leg: Leg | null = null
  return {
    ...client,
    serving,
    ticket,
    candidate,
    attempt,
    deps,
    log,
    outcomes,
    serve: () => {
      leg = serving.legTo(candidate)
      return leg.serve()
    },
    deliver: (complete: AttemptResult & { kind: 'complete' }) => serving.deliver(leg ?? fail(), complete),
    /** The attempt's result, some milliseconds after its start. */
    give: (given: AttemptResult, afterMs = 0) => {
      clock.nowMs += afterMs
      result.resolve(given)
    },
    watcher: () => heard.watcher ?? fail(),
    exhaust: (scope: string) => heard.exhaust(scope),
  }
}

function scriptedClient(log: string[]) {
  const starts: { headers: object; contentType: string | undefined }[] = []
  const state = { gone: false, streaming: false, left: (): void => fail() }
  const caller = {
    ...recordingConnection(),
    get gone() {
      return state.gone
    },
    get streaming() {
      return state.streaming
    },
    onGone: (listener: () => void) => {
      state.left = listener
    },
    startStream: (headers: object, contentType?: string) => {
      state.streaming = true
      starts.push({ headers, contentType })
    },
    write: (bytes: Buffer | string) => {
      log.push(`write ${bytes}`)
      return true
    },
    end: () => log.push('end'),
    drop: () => log.push('drop'),
  }
  const leave = () => {
    state.gone = true
    state.left()
  }
  const setStreaming = () => {
    state.streaming = true
  }
  return { caller, starts, leave, setStreaming }
}

function scriptedAttempt(log: string[], result: Promise<AttemptResult>) {
  const attempt = {
    result,
    status: 201,
    finalAnswer: null as Answer | null,
    outputTokensSeen: 6,
    failFrames: (fault: GatewayError): string | null | undefined => `fail ${fault.message}`,
    abandon: () => {
      log.push('abandon')
      return attempt.finalAnswer
    },
  }
  return attempt
}

function quietDeps(
  log: string[],
  clock: { readonly nowMs: number },
): Omit<DispatchDeps, 'begin' | 'settle' | 'watchOutput'> {
  return {
    health: createHealthStore({ failures: 1, openMs: 1_000 }, () => clock.nowMs),
    retries: { earn: () => {}, spend: () => false },
    hedging: idleHedging,
    refusedFields: { note: () => undefined },
    noteAnswered: () => log.push('answered'),
    keepAlives: { watch: () => log.push('watch'), watched: 0, stop: () => {} },
    keepAliveOf: () => ({ bytes: ': alive' }),
    failFrames: (_ticket, candidate, fault) => `frames of ${candidate.account.name}: ${fault.message}`,
    keepOutput: null,
    storeResponse: null,
    noteUnbilledCancel: (_ticket, candidate) => log.push(`unbilled ${candidate?.account.name}`),
    watchStop: () => {},
    onError: (fault) => log.push(`error ${fault instanceof Error ? fault.message : ''}`),
    nowMs: () => clock.nowMs,
    wait: async () => {},
  }
}

function fail(): never {
  expect.fail('nothing was begun')
}
