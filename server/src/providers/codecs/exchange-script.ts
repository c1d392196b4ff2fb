import type { BodyPiece } from '#domain/media/body-piece.ts'
import type { MediaFile } from '#domain/media/media-file.ts'
import { assert } from '#lib/assert.ts'
import type { ResponseHeaders } from '../refusal.ts'

/**
 * How a codec talks to its upstream: it yields steps and receives their outcomes, so that an upload, a submit and many
 * polls read from top to bottom while nothing here does I/O. It returns the result, or throws one of the faults.
 */
export type ExchangeScript<Result> = Generator<Step, Result, StepOutcome>

export type Step =
  | { readonly kind: 'send'; readonly request: MediaRequest }
  | { readonly kind: 'wait'; readonly ms: number }
  /** Fetches an image that the client named by URL, through the egress guard, for upstreams that require bytes. */
  | { readonly kind: 'fetch-image'; readonly url: string }

export type StepOutcome = Exchange | MediaFile | undefined

export interface MediaRequest {
  /** POST by default. A GET has no body. */
  readonly method?: 'GET' | 'POST'
  readonly origin: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | readonly BodyPiece[]
}

/** A whole response. */
export interface Exchange {
  readonly status: number
  readonly headers: ResponseHeaders
  readonly body: Buffer
}

export function* send(request: MediaRequest): Generator<Step, Exchange, StepOutcome> {
  const outcome = yield { kind: 'send', request }
  assert(outcome !== undefined && 'status' in outcome, 'a request is followed by its answer')
  return outcome
}

export function* pause(ms: number): Generator<Step, void, StepOutcome> {
  yield { kind: 'wait', ms }
}

export function* fetchImage(url: string): Generator<Step, MediaFile, StepOutcome> {
  const outcome = yield { kind: 'fetch-image', url }
  assert(outcome !== undefined && 'content' in outcome, 'what was fetched is a file')
  return outcome
}
