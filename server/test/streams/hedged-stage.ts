import { expect } from 'vitest'
import type { RefundReason } from '#domain/ledger/generation-record.ts'
import { nanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { RunTerms } from '#domain/runs/run.ts'
import { asGatewayError, GatewayError } from '#errors/gateway-error.ts'
import type { AttemptResult, AttemptWatcher, RunningAttempt } from '#pipeline/dispatch/attempt/attempt.ts'
import { createDispatch } from '#pipeline/dispatch/dispatch.ts'
import type { Begun, DispatchDeps } from '#pipeline/dispatch/dispatch-deps.ts'
import { createHealthStore } from '#pipeline/dispatch/choose/health-store.ts'
import type { Answer, Outcome, Plan, Reply, Ticket } from '#pipeline/types.ts'
import { failed, one, refused, two } from './dispatch-stage.ts'
import { recordingConnection, testTicket } from './test-ticket.ts'

export type LegName = 'one' | 'two' | 'three'

export const three: Candidate = { ...one, account: { ...one.account, id: 'three', name: 'three' } }

const answer: Answer = { usage: null, finishReason: 'stop', nativeFinishReason: 'stop' }
const giveUp = refused({ action: 'give-up', errorName: 'malformedRequest', status: 400, message: 'too long' })

/** The end of one leg, or what the client does. */
export type Step =
  | 'late'
  | 'leave'
  | 'stop'
  | 'comment'
  | `${LegName} ${'opens' | 'ends' | 'breaks' | 'fails' | 'gives up' | 'completes' | 'is exhausted'}`

/** A hedged request with scripted legs: nothing happens but what `play` says, in this order. */
export function hedgedStage(
  change: Partial<Plan> = {},
  special: Partial<DispatchDeps> = {},
  run: string | null = null,
) {
  const log: string[] = []
  const outcomes: Outcome[] = []
  const clock = { nowMs: 1_000 }
  const legs = new Map<string, ScriptedLeg>()
  const hedged = newHedged()
  const { timers } = hedged
  let stop: (() => void) | null = null
  const connection = recordingConnection()
  const deps: DispatchDeps = {
    ...quietDeps(log, clock),
    hedging: scriptedHedging(log, hedged),
    begin: (_ticket, candidate, watcher) => {
      const leg = scriptedLeg(candidate, watcher, log)
      legs.set(candidate.account.name, leg)
      return leg.begun
    },
    settle: (one, outcome) => {
      one.settlement ??= Promise.resolve(nanoUsd(5n)).then((cost) => (outcomes.push(outcome), cost))
      return one.settlement
    },
    watchOutput: (_ticket, { candidate }, refuse) => {
      const leg = legs.get(candidate.account.name)
      if (leg !== undefined) leg.exhaust = refuse
    },
    watchStop: (_id, _run, stopped) => {
      stop = () => stopped({ reason: 'enough' } as Parameters<typeof stopped>[0])
    },
    ...special,
  }
  const plan = { candidates: [one, two], isOpenEnded: false, hedgeAfter: 200, ...change }
  const ticket = ticketOf(testTicket(plan, connection), run)
  const settled: { reply: Reply | null; error: GatewayError | null } = { reply: null, error: null }
  const start = (given: Ticket = ticket): void => {
    createDispatch(deps)(given).then(
      (reply) => {
        settled.reply = reply
      },
      (error: unknown) => {
        settled.error = asGatewayError(error)
      },
    )
  }
  const legOf = (name: string): ScriptedLeg => legs.get(name) ?? expect.fail(`${name} was not asked`)
  const act = (step: Step): void => {
    clock.nowMs += 100
    if (step === 'late') return timers.shift()?.fire()
    if (step === 'leave') return connection.leave()
    if (step === 'stop') return stop?.()
    if (step === 'comment') return connection.startStream({})
    const at = step.indexOf(' ')
    playLeg(legOf(step.slice(0, at)), step.slice(at + 1))
  }
  const play = async (...steps: readonly Step[]): Promise<void> => {
    start()
    await turn()
    for (const step of steps) {
      act(step)
      await turn()
    }
  }
  const attempts = (): string[] => ticket.attempts.map(({ account, outcome }) => `${account} ${outcome}`)
  return { play, start, act, log, outcomes, ticket, deps, legs, ...hedged, connection, settled, attempts, clock }
}

/** The same request, of a run with this id. */
function ticketOf(ticket: Ticket, externalId: string | null): Ticket {
  if (externalId === null) return ticket
  const [id, limits] = [ticket.arrival.generationId, { budget: null, budgets: [], ownRules: {}, rules: [] }]
  const run = { id, externalId, path: [id], parent: null, stop: null, ...limits } as unknown as RunTerms
  return { ...ticket, principal: { ...ticket.principal, attribution: { endCustomer: null, tagIds: [], run } } }
}

export const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

/** How the request was settled: by whom, or why not. */
export function endOf(outcomes: readonly Outcome[]): string[] {
  return outcomes.map((outcome) =>
    outcome.kind === 'answered'
      ? `${outcome.candidate.account.name} charged${outcome.cancelled ? ', cancelled' : ''}`
      : `${outcome.candidate?.account.name ?? 'none'} ${outcome.reason satisfies RefundReason}`,
  )
}

interface ScriptedLeg {
  readonly begun: Begun
  readonly attempt: RunningAttempt & { finalAnswer: Answer | null; outputTokensSeen: number }
  readonly watcher: AttemptWatcher
  give(result: AttemptResult): void
  exhaust(scope: string): void
}

function scriptedLeg({ account: { name } }: Candidate, watcher: AttemptWatcher, log: string[]): ScriptedLeg {
  log.push(`ask ${name}`)
  const { promise, resolve } = Promise.withResolvers<AttemptResult>()
  const attempt = {
    result: promise,
    status: 200,
    finalAnswer: null as Answer | null,
    outputTokensSeen: 7,
    sentBody: '{}',
    failFrames: () => `error of ${name}`,
    abandon: () => {
      log.push(`cancel ${name}`)
      resolve({ kind: 'abandoned' })
      return attempt.finalAnswer
    },
  }
  return { begun: { attempt, ignored: [`of_${name}`] }, attempt, watcher, give: resolve, exhaust: () => {} }
}

const close = (cost: bigint): string => `cost ${cost}`

function playLeg(leg: ScriptedLeg, what: string): void {
  if (what === 'opens') {
    leg.watcher.onOpened()
    leg.watcher.onOutput(1)
    leg.give({ kind: 'opened' })
  } else if (what === 'ends') leg.watcher.onEnd({ kind: 'complete', answer, close })
  else if (what === 'breaks') leg.watcher.onEnd({ kind: 'failed', failure: { kind: 'broken', message: 'broke off' } })
  else if (what === 'fails') leg.give(failed)
  else if (what === 'gives up') leg.give(giveUp)
  else if (what === 'completes') leg.give({ kind: 'complete', answer, close })
  else {
    leg.watcher.onOutput(9)
    leg.exhaust('wallet')
  }
}

/** What hedging is told, and what it waits for. */
interface Hedged {
  readonly budget: { earned: number; has: boolean; spent: number }
  readonly timers: { readonly ms: number; fire(): void }[]
  /** The accounts whose attempts lost although they were asked first. */
  readonly late: string[]
}

function newHedged(): Hedged {
  return { budget: { earned: 0, has: true, spent: 0 }, timers: [], late: [] }
}

function scriptedHedging(log: string[], { budget, timers, late }: Hedged): DispatchDeps['hedging'] {
  return {
    budget: {
      earn: () => {
        budget.earned += 1
      },
      has: () => budget.has,
      spend: () => {
        budget.spent += 1
      },
    },
    slowMs: () => null,
    noteLost: (_ticket, { account }, { latencyMs, outputTokens, wasLate }) => {
      if (wasLate) late.push(account.name)
      log.push(`lost ${account.name} after ${latencyMs} ms with ${outputTokens} tokens`)
      return nanoUsd(9_000n)
    },
    count: (outcome) => log.push(`count ${outcome}`),
    pause: (ms, signal) =>
      new Promise((resolve, reject) => {
        const timer = { ms, fire: resolve }
        timers.push(timer)
        signal.addEventListener('abort', () => {
          log.push('timer over')
          if (timers.includes(timer)) timers.splice(timers.indexOf(timer), 1)
          reject(new DOMException('over', 'AbortError'))
        })
      }),
  }
}

function quietDeps(
  log: string[],
  clock: { readonly nowMs: number },
): Omit<DispatchDeps, 'begin' | 'settle' | 'watchOutput' | 'hedging' | 'watchStop'> {
  return {
    health: createHealthStore({ failures: 5, openMs: 30_000 }, () => clock.nowMs),
    retries: { earn: () => {}, spend: () => false },
    refusedFields: { note: () => undefined },
    noteAnswered: (_ticket, { account }) => log.push(`${account.name} answered`),
    keepAlives: { watch: () => {}, watched: 0, stop: () => {} },
    keepAliveOf: () => null,
    failFrames: (_ticket, candidate) => `no frames of ${candidate.account.name}`,
    keepOutput: null,
    storeResponse: null,
    noteUnbilledCancel: (_ticket, candidate) => log.push(`unbilled ${candidate?.account.name}`),
    onError: (error) => log.push(`error ${error instanceof Error ? error.message : String(error)}`),
    nowMs: () => clock.nowMs,
    wait: async () => {},
  }
}
