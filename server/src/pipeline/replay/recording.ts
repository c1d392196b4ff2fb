import type { AnswerRecording, AnswerRest, ClientConnection } from '../types.ts'
import type { AnswerLog } from './answer-log.ts'

interface RecordingOptions {
  readonly client: ClientConnection
  readonly log: AnswerLog
  readonly nowMs: () => number
  /** Removes the request, whose key can then be used again. */
  readonly forget: () => Promise<void>
  /** Called once, when the request has ended. */
  readonly onEnd: () => void
}

/**
 * The connection of a request with an idempotency key. It stores what it passes to the client. The request goes on when
 * the client disconnects, because a retry with the same key will ask for its answer.
 */
export class Recording implements ClientConnection, AnswerRecording {
  /** Never: a retry may join at any time. */
  readonly gone = false
  streaming = false
  readonly #options: RecordingOptions
  #ended = false
  #quietSinceMs: number
  #onDrain: (() => void) | null = null
  #isWritten = false

  constructor(options: RecordingOptions) {
    this.#options = options
    this.#quietSinceMs = options.nowMs()
    options.client.onGone(() => this.#drained())
  }

  get quietSinceMs(): number {
    return this.#ended ? Number.POSITIVE_INFINITY : this.#quietSinceMs
  }

  get blockedSinceMs(): number | null {
    return this.#options.client.gone ? null : this.#options.client.blockedSinceMs
  }

  onGone(): void {}

  startStream(headers: Readonly<Record<string, string>>, contentType?: string): void {
    if (this.streaming) return
    this.streaming = true
    this.#options.log.open({ status: 200, headers, contentType: contentType ?? eventStream })
    this.#options.client.startStream(headers, contentType)
  }

  write(bytes: Buffer | string): boolean {
    if (this.#ended) return true
    this.#quietSinceMs = this.#options.nowMs()
    // The last bytes were stored before the settle.
    if (!this.#isWritten) this.#options.log.add(bytes)
    return this.#options.client.write(bytes)
  }

  onDrain(listener: () => void): void {
    if (this.#options.client.gone) return listener()
    this.#onDrain = listener
    this.#options.client.onDrain(() => this.#drained())
  }

  onSent(listener: () => void): void {
    this.#options.client.onSent(listener)
  }

  end(): void {
    this.#ended = true
    this.#options.client.end()
  }

  drop(): void {
    this.#options.client.drop()
  }

  async complete({ head, bytes }: AnswerRest): Promise<void> {
    const { log } = this.#options
    if (head !== undefined) log.open(head)
    log.add(bytes)
    this.#isWritten = true
    await log.close()
  }

  settled(isAsWritten: boolean): void {
    const { log, onEnd } = this.#options
    if (!isAsWritten) log.unkeep()
    log.settled()
    onEnd()
  }

  async forget(): Promise<void> {
    const { log, forget, onEnd } = this.#options
    await log.idle()
    await forget()
    onEnd()
  }

  #drained(): void {
    const listener = this.#onDrain
    this.#onDrain = null
    listener?.()
  }
}

const eventStream = 'text/event-stream; charset=utf-8'
