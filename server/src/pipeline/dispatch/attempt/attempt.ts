import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import { wordsOfBody } from '#lib/words-of-body.ts'
import type { UpstreamExchange, UpstreamHandler, UpstreamRequest, Upstreams } from '#ports/upstream.ts'
import type { ResponseHeaders, UpstreamRefusal } from '#providers/refusal.ts'
import type { Answer, AnswerListener, AnswerReader, LastBytes, Ticket } from '../../types.ts'

/** How far one try at one upstream came. */
export type AttemptResult =
  /** Substance has arrived; the stream goes on by itself and ends through `onEnd`. */
  | { kind: 'opened' }
  /** The whole answer is here. */
  | { kind: 'complete'; answer: Answer; close: (cost: NanoUsd) => LastBytes; contentType?: string }
  /** `words`: what its body says, where no protocol found a message in it. */
  | { kind: 'refused'; refusal: UpstreamRefusal; words?: string }
  | { kind: 'failed'; failure: AttemptFailure }
  | { kind: 'abandoned' }
  /** The call cannot be said in this upstream's protocol; another one may take it. */
  | { kind: 'unfit'; error: GatewayError }

export interface AttemptFailure {
  kind: 'unreachable' | 'timeout' | 'broken' | 'oversize' | 'error' | 'empty'
  message: string
}

/** How a stream ended after it was opened. */
export type StreamEnd =
  | { kind: 'complete'; answer: Answer; close: (cost: NanoUsd) => LastBytes }
  | { kind: 'failed'; failure: AttemptFailure }

/** One try at one upstream, under way. */
export interface RunningAttempt {
  readonly result: Promise<AttemptResult>
  /** Of the upstream's last answer. */
  readonly status: number | null
  /** The answer, once its usage will not change any more. */
  readonly finalAnswer: Answer | null
  /** Our estimate of the output tokens that a stream has sent so far. */
  readonly outputTokensSeen: number
  /** The body that the upstream got, if it is a single text. */
  readonly sentBody?: string | undefined
  /**
   * The last frames for the client; undefined if nothing was written for it yet, null where only breaking off tells.
   */
  failFrames(error: GatewayError): string | null | undefined
  /** Stops it for good; nothing is written afterwards. Gives the answer if its usage was already final. */
  abandon(): Answer | null
}

/** Who is told how it goes. */
export interface AttemptWatcher {
  /** Called before the first byte of a stream is written; of events, unless another type is named. */
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
 * One exchange with one upstream: takes its bytes, feeds its reader, and writes what the reader makes of them, with
 * back-pressure from the client's connection to the upstream's. It is `waiting` for something of substance, then
 * `open`, then `over`; a document is never open for long.
 */
export class Attempt implements RunningAttempt, UpstreamHandler, AnswerListener {
  readonly result: Promise<AttemptResult>
  status: number | null = null
  readonly #input: AttemptInput
  readonly #resolve: (result: AttemptResult) => void
  #state: 'waiting' | 'open' | 'over' = 'waiting'
  #responseHeaders: Readonly<Record<string, string | string[] | undefined>> = {}
  #reader: AnswerReader | null = null
  /** Null while it is being opened: it may fail even then. */
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

  // From the upstream.

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
    // Everything has come but the formal end: breaking off now takes nothing from the answer or its bill.
    const isWhole = this.#state === 'open' && typeof this.finalAnswer?.finishReason === 'string'
    if (isWhole) this.#reader?.end()
    else this.unusable(failure)
  }

  // From the reader.

  opened(contentType?: string): void {
    if (this.#state !== 'waiting') return
    this.#state = 'open'
    if (!this.#isStream) return
    this.#input.watcher.onOpened(contentType)
    this.#resolve({ kind: 'opened' })
  }

  bytes(bytes: Buffer | string): void {
    const { connection } = this.#input.ticket.arrival
    if (this.#state !== 'open' || connection.write(bytes)) return
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
