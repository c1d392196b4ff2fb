import type { ServerResponse } from 'node:http'
import type { ClientConnection, Reply } from '#pipeline/types.ts'
import type { AnswerShape, StreamedAnswer } from '../openrouter/shape-answers.ts'
import type { UnsentAnswers } from '../unsent-answers.ts'

interface ConnectionOptions {
  readonly nowMs: () => number
  readonly unsent: Pick<UnsentAnswers, 'watch'>
}

/** How the bytes of this request differ at its mount. */
interface ShapedAnswer {
  readonly shape: AnswerShape
  readonly answer: () => StreamedAnswer
}

/** The client's connection. An event stream is written directly to the socket's response, without a copy. */
export class HttpConnection implements ClientConnection {
  gone = false
  blockedSinceMs: number | null = null
  streaming = false
  readonly #response: ServerResponse
  readonly #options: ConnectionOptions
  readonly #shaped: ShapedAnswer | null
  #ended = false
  #quietSinceMs: number
  #goneListener: (() => void) | null = null

  constructor(response: ServerResponse, options: ConnectionOptions, shaped: ShapedAnswer | null = null) {
    this.#response = response
    this.#options = options
    this.#shaped = shaped
    this.#quietSinceMs = options.nowMs()
    response.on('close', () => {
      if (this.#ended) return
      this.gone = true
      this.#goneListener?.()
    })
  }

  get quietSinceMs(): number {
    return this.#ended ? Number.POSITIVE_INFINITY : this.#quietSinceMs
  }

  onGone(listener: () => void): void {
    this.#goneListener = listener
    if (this.gone) listener()
  }

  onDrain(listener: () => void): void {
    this.#response.once('drain', listener)
  }

  onSent(listener: () => void): void {
    this.#response.once('finish', listener)
  }

  startStream(headers: Readonly<Record<string, string>>, contentType?: string): void {
    if (this.streaming || this.gone) return
    this.streaming = true
    const own = contentType === undefined ? eventStreamHeaders : { 'content-type': contentType }
    this.#response.writeHead(200, { ...headers, ...own })
    // The first bytes of audio are held back until the second chunk arrives, so the headers must be flushed explicitly.
    if (contentType !== undefined) this.#response.flushHeaders()
  }

  write(bytes: Buffer | string): boolean {
    if (this.gone || this.#ended) return true
    this.#quietSinceMs = this.#options.nowMs()
    const isTaken = this.#response.write(this.#shaped === null ? bytes : shapeFrames(this.#shaped, bytes))
    if (!isTaken && this.blockedSinceMs === null) {
      this.blockedSinceMs = this.#quietSinceMs
      this.#response.once('drain', () => {
        this.blockedSinceMs = null
      })
    }
    return isTaken
  }

  end(): void {
    this.#ended = true
    this.#response.end()
  }

  drop(): void {
    this.#response.destroy()
  }

  /**
   * Sends a document and ends. It writes directly to the socket, because Fastify's reply takes more time than all our
   * stages without I/O.
   */
  send({ body: document, headers, status = 200, contentType = jsonType }: Reply & { kind: 'document' }): void {
    this.#ended = true
    const body = this.#shaped === null ? document : this.#shaped.shape.document(document)
    const length = Buffer.byteLength(body)
    this.#response.writeHead(status, { ...headers, 'content-type': contentType, 'content-length': length })
    this.#response.end(body)
    this.#options.unsent.watch(this.#response)
  }

  /** The edge sends the response: closing no longer means that the client disconnected. */
  handOver(): void {
    this.#ended = true
  }
}

function shapeFrames({ shape, answer }: ShapedAnswer, bytes: Buffer | string): Buffer | string {
  return typeof bytes === 'string' ? shape.frames(bytes, answer) : bytes
}

const jsonType = 'application/json; charset=utf-8'

const eventStreamHeaders = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-cache, no-transform',
  // Otherwise nginx would buffer the stream.
  'x-accel-buffering': 'no',
} as const
