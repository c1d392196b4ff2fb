import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import type { RetryBudget } from '#domain/routing/retry-budget.ts'
import type { UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { Protocol } from '#providers/protocol.ts'
import type { AnswerListener, AnswerReader, Outcome, Ticket } from '../types.ts'
import type { HealthBook } from './health-book.ts'
import type { KeepAlives } from './keep-alives.ts'

/** What dispatching needs from the other stages and from outside. */
export interface DispatchDeps {
  upstreams: Upstreams
  health: HealthBook
  retries: RetryBudget
  /** Who answered a conversation is asked first for its next turn. */
  noteAnswered: (ticket: Ticket, candidate: Candidate) => void
  keepAlives: KeepAlives
  prepare: (ticket: Ticket, candidate: Candidate) => PreparedRequest | Promise<PreparedRequest>
  makeReader: (ticket: Ticket, candidate: Candidate, contentType: string, listener: AnswerListener) => AnswerReader
  readFailure: (candidate: Candidate) => Protocol['readFailure']
  /** The frames that end a stream of which nothing was written yet. */
  failFrames: (ticket: Ticket, candidate: Candidate, error: GatewayError) => string
  settle: (ticket: Ticket, outcome: Outcome) => Promise<NanoUsd>
  watchOutput: (ticket: Ticket, tokens: number, refused: () => void) => void
  noteUnbilledCancel: (ticket: Ticket) => void
  onError: (error: unknown) => void
  nowMs: () => number
  wait: (ms: number) => Promise<void>
}

export interface PreparedRequest {
  request: UpstreamRequest
  /** Parameters that the contract drops silently for this model; named in a response header. */
  ignored: readonly string[]
}
