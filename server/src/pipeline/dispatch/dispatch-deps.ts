import type { KeepAlive } from '#dialects/dialect.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { RetryBudget } from '#domain/routing/retry-budget.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { Outcome, Ticket, WatchOutput } from '../types.ts'
import type { AttemptWatcher, RunningAttempt } from './attempt/attempt.ts'
import type { HealthStore } from './choose/health-store.ts'
import type { KeepAlives } from './answer/keep-alives.ts'
import type { OutputKeeper } from './answer/keep-output.ts'
import type { RefusedFields } from './attempt/refused-fields.ts'

/** What dispatching needs from the other stages and from outside. */
export interface DispatchDeps {
  health: HealthStore
  retries: RetryBudget
  refusedFields: Pick<RefusedFields, 'note'>
  /** Who answered a conversation is asked first for its next turn. */
  noteAnswered: (ticket: Ticket, candidate: Candidate) => void
  keepAlives: KeepAlives
  /** What a silent stream of this request is kept alive with; null for nothing. */
  keepAliveOf: (ticket: Ticket) => KeepAlive | null
  /** Asks a candidate. Throws a GatewayError where the call cannot be said to it. */
  begin: (ticket: Ticket, candidate: Candidate, watcher: AttemptWatcher) => Begun | Promise<Begun>
  /** The frames that end a stream of which nothing was written yet. */
  failFrames: (ticket: Ticket, candidate: Candidate, error: GatewayError) => string | null
  settle: (ticket: Ticket, outcome: Outcome) => Promise<NanoUsd>
  watchOutput: WatchOutput
  noteUnbilledCancel: (ticket: Ticket, candidate: Candidate | null) => void
  /** Keeps the output items of a delivered answer; null where none are kept. */
  keepOutput: OutputKeeper['keep'] | null
  onError: (error: unknown) => void
  nowMs: () => number
  wait: (ms: number) => Promise<void>
}

export interface Begun {
  attempt: RunningAttempt
  /** Parameters that the contract drops silently for this model; named in a response header. */
  ignored: readonly string[]
}
