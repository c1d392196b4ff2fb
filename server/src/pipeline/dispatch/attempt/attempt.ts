import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import { wordsOfBody } from '#lib/words-of-body.ts'
import type { UpstreamExchange, UpstreamHandler, UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import type { ResponseHeaders, UpstreamRefusal } from '#providers/refusal.ts'
import type { Answer, AnswerListener, AnswerReader, LastBytes, Ticket } from '../../types.ts'

/** The result of one attempt at one upstream. */
export type AttemptResult =
  /** Content has arrived. The stream continues on its own and ends through `onEnd`. */
  | { kind: 'opened' }
  /** The whole response has arrived. */
  | { kind: 'complete'; answer: Answer; close: (cost: NanoUsd) => LastBytes; contentType?: string }
  /** `words`: the text of the body, if no protocol found a message in it. */
  | { kind: 'refused'; refusal: UpstreamRefusal; words?: string }
  | { kind: 'failed'; failure: AttemptFailure }
  | { kind: 'abandoned' }
  /** The call cannot be expressed in this upstream's protocol. Another upstream may accept it. */
  | { kind: 'unfit'; error: GatewayError }

export interface AttemptFailure {
  kind: 'unreachable' | 'timeout' | 'broken' | 'oversize' | 'error' | 'empty'
  message: string
}

/** How a stream ended after it was opened. */
export type StreamEnd =
  | { kind: 'complete'; answer: Answer; close: (cost: NanoUsd) => LastBytes }
  | { kind: 'failed'; failure: AttemptFailure }

/** One running attempt at one upstream. */
export interface RunningAttempt {
  readonly result: Promise<AttemptResult>
  /** Status of the upstream's last response. */
  readonly status: number | null
  /** The response, once its usage is final. */
  readonly finalAnswer: Answer | null
  /** Our estimate of the output tokens that a stream has sent so far. */
  readonly outputTokensSeen: number
  /** The body sent to the upstream, if it is a single string. */
  readonly sentBody?: string | undefined
  /**
   * The last frames for the client. Undefined if nothing was written yet, null if the client can only be told by
   * disconnecting it.
   */
  failFrames(error: GatewayError): string | null | undefined
  /**
   * Stops the attempt permanently. Nothing is written afterwards. Returns the response if its usage was already final.
   */
  abandon(): Answer | null
}

/** Receives the progress of an attempt. */
export interface AttemptWatcher {
  /** Called before the first byte of a stream is written. The type is an event stream, unless another is named. */
  onOpened(contentType?: string): void
  /** How an opened stream ended. */
  onEnd(end: StreamEnd): void
  onOutput(tokens: number): void
}

interface AttemptInput {
  ticket: Ticket
  request: UpstreamRequest
  upstreams: Upstreams
  makeReader: (contentType: string, listener: AnswerListener) => AnswerReader
  readFailure: (status: number, headers: ResponseHeaders, bodyText: string) => UpstreamRefusal
  watcher: AttemptWatcher
}

const refusalBytesMax = 65_536

/**
 * One exchange with one upstream: receives its bytes, feeds its reader, and writes the reader's output, with
 * back-pressure from the client's connection to the upstream's. It is `waiting` for content, then `open`, then `over`;
 * a document is never open for long.
 */
export class Attempt implements RunningAttempt, UpstreamHandler, AnswerListener {
  readonly result: Promise<AttemptResult>
  status: number | null = null
  readonly #input: AttemptInput
  readonly #resolve: (result: AttemptResult) => void
  #state: 'waiting' | 'open' | 'over' = 'waiting'
  #responseHeaders: Readonly<Record<string, string | string[] | undefined>> = {}
  #reader: AnswerReader | null = null
  /** Null while the exchange is being opened: it may fail even then. */
  #exchange: UpstreamExchange | null = null
  #refusal: Buffer[] = []
  #refusalBytes = 0

  constructor(input: AttemptInput) {
    this.#input = input
    const { promise, resolve } = Promise.withResolvers<AttemptResult>()
    this.result = promise
    this.#resolve = resolve
    this.#exchange = input.upstreams.open(input.request, this)
  }

  get finalAnswer(): Answer | null {
    return this.#reader?.finalAnswer ?? null
  }

  get outputTokensSeen(): number {
    return this.#reader?.outputTokensEstimate ?? 0
  }

  get sentBody(): string | undefined {
    const { body } = this.#input.request
    return typeof body === 'string' ? body : undefined
  }

  failFrames(error: GatewayError): string | null | undefined {
    return this.#reader?.fail(error)
  }

  abandon(): Answer | null {
    const final = this.finalAnswer
    if (this.#state !== 'over') {
      this.#state = 'over'
      this.#exchange?.abort()
      this.#resolve({ kind: 'abandoned' })
    }
    return final
  }

  // Called by the upstream.

  headers(status: number, headers: Readonly<Record<string, string | string[] | undefined>>): void {
    this.status = status
    this.#responseHeaders = headers
    if (status < 200 || status > 299) return
    this.#reader = this.#input.makeReader(String(headers['content-type'] ?? ''), this)
  }

  data(bytes: Buffer): void {
    if (this.#state === 'over') return
    if (this.#reader === null) return this.#takeRefusal(bytes)
    this.#reader.data(bytes)
    if (this.#isStream) this.#input.watcher.onOutput(this.#reader.outputTokensEstimate)
  }

  end(): void {
    if (this.#state === 'over') return
    if (this.#reader !== null) return this.#reader.end()
    this.#state = 'over'
    const text = Buffer.concat(this.#refusal).toString('utf8')
    const refusal = this.#input.readFailure(this.status ?? 0, this.#responseHeaders, text)
    this.#resolve({ kind: 'refused', refusal, ...(refusal.inside === '' ? { words: wordsOfBody(text) } : {}) })
  }

  failed(failure: AttemptFailure): void {
    // Everything has arrived except the formal end: disconnecting now takes nothing from the response or its charge.
    const isWhole = this.#state === 'open' && typeof this.finalAnswer?.finishReason === 'string'
    if (isWhole) this.#reader?.end()
    else this.unusable(failure)
  }

  // Called by the reader.

  opened(contentType?: string): void {
    if (this.#state !== 'waiting') return
    this.#state = 'open'
    if (!this.#isStream) return
    this.#input.watcher.onOpened(contentType)
    this.#resolve({ kind: 'opened' })
  }

  bytes(bytes: Buffer | string): void {
    const { connection, filling } = this.#input.ticket.arrival
    if (this.#state !== 'open') return
    filling?.wrote(bytes)
    if (connection.write(bytes)) return
    this.#exchange?.pause()
    connection.onDrain(() => this.#exchange?.resume())
  }

  done(answer: Answer, close: (cost: NanoUsd) => LastBytes): void {
    if (this.#state === 'over') return
    this.#state = 'over'
    if (this.#isStream) this.#input.watcher.onEnd({ kind: 'complete', answer, close })
    else this.#resolve({ kind: 'complete', answer, close })
  }

  unusable(failure: AttemptFailure): void {
    if (this.#state === 'over') return
    const wasOpen = this.#state === 'open'
    this.#state = 'over'
    this.#exchange?.abort()
    if (wasOpen && this.#isStream) this.#input.watcher.onEnd({ kind: 'failed', failure })
    else this.#resolve({ kind: 'failed', failure })
  }

  get #isStream(): boolean {
    return this.#input.ticket.plan.call.stream
  }

  #takeRefusal(bytes: Buffer): void {
    this.#refusalBytes += bytes.length
    if (this.#refusalBytes <= refusalBytesMax) this.#refusal.push(bytes)
  }
}
