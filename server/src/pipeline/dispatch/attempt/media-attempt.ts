import type { MediaResult } from '#domain/media/media-result.ts'
import type { MediaFile } from '#domain/media/media-file.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { ExchangeScript, Exchange, MediaRequest, Step, StepOutcome } from '#providers/codecs/exchange-script.ts'
import { UnusableAnswerError, UpstreamRefusedError } from '#providers/codecs/faults.ts'
import type { UpstreamRefusal } from '#providers/refusal.ts'
import type { Answer, Ticket } from '../../types.ts'
import type { AttemptFailure, AttemptResult, AttemptWatcher, RunningAttempt } from './attempt.ts'
import { ExchangeFailedError } from './whole-exchange.ts'

/** A finished result: its billing data, and the bytes for the client. */
export interface FinishedMedia {
  readonly answer: Answer
  /** Content type of a document. */
  readonly contentType: string
  /** Frames of a stream before its cost is known. */
  readonly frames: string
  /** The document, or the last frames of the stream. */
  close(cost: NanoUsd): string
}

export interface MediaAttemptInput {
  readonly ticket: Ticket
  readonly script: ExchangeScript<MediaResult>
  /** The script has started, and this is its first step. */
  readonly first: IteratorResult<Step, MediaResult>
  readonly send: (request: MediaRequest, signal: AbortSignal) => Promise<Exchange>
  readonly fetchImage: (url: string, signal: AbortSignal) => Promise<MediaFile>
  /** Deletes the fetched files after the script ends. */
  readonly discard: () => Promise<void>
  readonly wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** Time limit of the whole attempt, over all of its exchanges. */
  readonly deadlineMs: number
  readonly finish: (result: MediaResult, signal: AbortSignal) => Promise<FinishedMedia>
  readonly failFrames: (error: GatewayError) => string | null
  readonly watcher: AttemptWatcher
}

/**
 * An attempt that may take many exchanges with its upstream, such as a submit and its polls, and whose result is used
 * as a whole.
 */
export class MediaAttempt implements RunningAttempt {
  readonly result: Promise<AttemptResult>
  status: number | null = null
  finalAnswer: Answer | null = null
  readonly outputTokensSeen = 0
  readonly #input: MediaAttemptInput
  readonly #abort = new AbortController()
  readonly #resolve: (result: AttemptResult) => void
  readonly #reject: (error: unknown) => void
  #isOver = false

  constructor(input: MediaAttemptInput) {
    this.#input = input
    const { promise, resolve, reject } = Promise.withResolvers<AttemptResult>()
    this.result = promise
    this.#resolve = resolve
    this.#reject = reject
    const deadline = setTimeout(() => this.#abort.abort(tooLate), input.deadlineMs)
    this.#run()
      .catch((error: unknown) => this.#fail(error))
      .finally(() => {
        clearTimeout(deadline)
        return input.discard()
      })
      // A file that could not be removed does not fail the response. The next start of the gateway removes it.
      .catch(this.#reject)
  }

  failFrames(error: GatewayError): string | null {
    return this.#input.failFrames(error)
  }

  abandon(): Answer | null {
    if (!this.#isOver) {
      this.#isOver = true
      this.#abort.abort(new Error('abandoned'))
      this.#resolve({ kind: 'abandoned' })
    }
    return this.finalAnswer
  }

  async #run(): Promise<void> {
    const { input, signal } = { input: this.#input, signal: this.#abort.signal }
    const result = await this.#converse()
    // The last response may have arrived just as the client disconnected.
    signal.throwIfAborted()
    const finished = await input.finish(result, signal)
    if (this.#isOver) return
    const { answer, contentType, frames, close } = finished
    this.finalAnswer = answer
    this.#isOver = true
    if (!input.ticket.plan.call.stream) return this.#resolve({ kind: 'complete', answer, close, contentType })
    input.watcher.onOpened()
    this.#resolve({ kind: 'opened' })
    input.ticket.arrival.connection.write(frames)
    input.watcher.onEnd({ kind: 'complete', answer, close })
  }

  async #converse(): Promise<MediaResult> {
    const { script, first } = this.#input
    for (let next = first; ; ) {
      if (next.done === true) return next.value
      next = script.next(await this.#perform(next.value))
    }
  }

  async #perform(step: Step): Promise<StepOutcome> {
    const { signal } = this.#abort
    signal.throwIfAborted()
    switch (step.kind) {
      case 'send': {
        const exchange = await this.#input.send(step.request, signal)
        this.status = exchange.status
        return exchange
      }
      case 'wait':
        await this.#input.wait(step.ms, signal)
        return undefined
      case 'fetch-image':
        return this.#input.fetchImage(step.url, signal)
    }
  }

  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#abort.abort(error)
    const cause = this.#abort.signal.reason === tooLate ? tooLate : error
    const result = resultOf(cause, this.status)
    if (result === null) this.#reject(error)
    else this.#resolve(result)
  }
}

const tooLate = new Error('too late')

/** Null for an unforeseen error, which is our bug and not the upstream's fault. */
function resultOf(error: unknown, status: number | null): AttemptResult | null {
  if (error === tooLate) return failed({ kind: 'timeout', message: 'The upstream timed out.' })
  if (error instanceof UpstreamRefusedError) return { kind: 'refused', refusal: error.refusal }
  if (error instanceof ExchangeFailedError) return failed(error.failure)
  if (error instanceof GatewayError) return { kind: 'refused', refusal: ownRefusal(error, status) }
  if (error instanceof UnusableAnswerError) return failed({ kind: 'error', message: error.message })
  return null
}

function failed(failure: AttemptFailure): AttemptResult {
  return { kind: 'failed', failure }
}

/**
 * Errors that the gateway itself raises while it processes a result. After `noImages` it fails over, because another
 * upstream may return an image.
 */
function ownRefusal(error: GatewayError, status: number | null): UpstreamRefusal {
  return {
    action: error.errorName === 'noImages' ? 'fail-over' : 'give-up',
    errorName: error.errorName,
    message: error.message,
    inside: error.inside ?? error.message,
    retryAfterMs: null,
    status: status ?? 0,
  }
}
