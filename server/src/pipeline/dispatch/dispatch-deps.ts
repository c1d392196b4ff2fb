import type { KeepAlive } from '#dialects/dialect.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { RetryBudget } from '#domain/routing/retry-budget.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { RunningRuns } from '../running-runs.ts'
import type { Outcome, Ticket, WatchOutput } from '../types.ts'
import type { AttemptWatcher, RunningAttempt } from './attempt/attempt.ts'
import type { HealthStore } from './choose/health-store.ts'
import type { KeepAlives } from './answer/keep-alives.ts'
import type { StoreResponse } from './answer/store-response.ts'
import type { OutputKeeper } from './answer/keep-output.ts'
import type { RefusedFields } from './attempt/refused-fields.ts'
import type { Hedging } from './hedging.ts'

/** The dependencies of dispatch on other stages and on the outside. */
export interface DispatchDeps {
  health: HealthStore
  retries: RetryBudget
  /** For requests that ask for a second provider. */
  hedging: Hedging
  refusedFields: Pick<RefusedFields, 'note'>
  /** Makes the candidate that answered a conversation the first candidate of its next turn. */
  noteAnswered: (ticket: Ticket, candidate: Candidate) => void
  keepAlives: KeepAlives
  /** The keep-alive for a silent stream of this request, or null for none. */
  keepAliveOf: (ticket: Ticket) => KeepAlive | null
  /** Starts an attempt. Throws a GatewayError if the candidate's protocol cannot express the call. */
  begin: (ticket: Ticket, candidate: Candidate, watcher: AttemptWatcher) => Begun | Promise<Begun>
  /** The frames that end a stream before anything was written. */
  failFrames: (ticket: Ticket, candidate: Candidate, error: GatewayError) => string | null
  settle: (ticket: Ticket, outcome: Outcome) => Promise<NanoUsd>
  watchOutput: WatchOutput
  noteUnbilledCancel: (ticket: Ticket, candidate: Candidate | null) => void
  /** Ends a request of a run when the run is stopped. */
  watchStop: RunningRuns['watch']
  /** Keeps the output items of a delivered response. Null if none are kept. */
  keepOutput: OutputKeeper['keep'] | null
  /** Stores the response of a request that asks for it. Null if no responses are stored. */
  storeResponse: StoreResponse | null
  onError: (error: unknown) => void
  nowMs: () => number
  wait: (ms: number) => Promise<void>
}

export interface Begun {
  attempt: RunningAttempt
  /** Parameters that the contract drops silently for this model. A response header names them. */
  ignored: readonly string[]
}
