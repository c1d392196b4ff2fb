import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { CachedAnswer, LastBytes, Ticket } from '../../types.ts'
import type { AttemptResult, AttemptWatcher, RunningAttempt } from './attempt.ts'

interface KeptAttemptInput {
  readonly ticket: Ticket
  readonly cached: CachedAnswer
  readonly watcher: AttemptWatcher
}

// Most answers are one write. At most one piece waits for a client that does not read.
const pieceBytes = 262_144

/** Sends a kept answer. No upstream is asked, so the attempt completes unless its client disconnects. */
export class KeptAttempt implements RunningAttempt {
  readonly result: Promise<AttemptResult>
  readonly status: number
  /** The end contains the usage, so a client that disconnects before pays nothing. */
  readonly finalAnswer = null
  readonly outputTokensSeen = 0
  readonly #input: KeptAttemptInput
  readonly #resolve: (result: AttemptResult) => void
  #isOver = false

  constructor(input: KeptAttemptInput) {
    const { promise, resolve } = Promise.withResolvers<AttemptResult>()
    this.result = promise
    this.status = input.cached.status
    this.#input = input
    this.#resolve = resolve
    if (input.ticket.plan.call.stream) {
      // The watcher learns of the attempt first.
      queueMicrotask(() => this.#open())
    } else resolve(this.#complete())
  }

  /** Nothing is written that an error would have to continue. */
  failFrames(): undefined {}

  abandon(): null {
    this.#isOver = true
    this.#resolve({ kind: 'abandoned' })
    return null
  }

  #open(): void {
    if (this.#isOver) return
    const { cached, ticket, watcher } = this.#input
    watcher.onOpened(cached.contentType)
    this.#resolve({ kind: 'opened' })
    const { bytes, release } = cached.body()
    if (bytes.length > 0) ticket.arrival.connection.onSent(release)
    this.#send(bytes, 0)
  }

  #send(body: Buffer, from: number): void {
    const { watcher, ticket } = this.#input
    const { connection } = ticket.arrival
    for (let sent = from; sent < body.length && !this.#isOver; ) {
      const next = sent + pieceBytes
      const isTaken = connection.write(body.subarray(sent, next))
      if (!isTaken && next < body.length) return connection.onDrain(() => this.#send(body, next))
      sent = next
    }
    if (this.#isOver) return
    this.#isOver = true
    watcher.onEnd(this.#complete())
  }

  #complete(): AttemptResult & { kind: 'complete' } {
    const { cached } = this.#input
    const close = (cost: NanoUsd): LastBytes => this.#close(cost)
    const { answer, contentType } = cached
    return { kind: 'complete', answer, close, ...(contentType === undefined ? {} : { contentType }) }
  }

  #close(cost: NanoUsd): LastBytes {
    const { cached, ticket } = this.#input
    const output = cached.output()
    if (output !== null) ticket.output = output
    return cached.end(cost)
  }
}
