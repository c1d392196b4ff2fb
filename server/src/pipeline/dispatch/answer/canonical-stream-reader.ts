import type { StreamWriter } from '#dialects/dialect.ts'
import type { StreamPart } from '#domain/inference/stream-part.ts'
import type { Usage } from '#domain/inference/usage.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { PartReader } from '#providers/protocol.ts'
import type { Answer, AnswerFailure, AnswerListener, AnswerReader } from '../../types.ts'
import { ClientOutlet } from './client-outlet.ts'
import { chargedFor } from './charged-for.ts'
import type { Speakers } from './pair.ts'
import type { ReaderContext } from './reader-context.ts'

/**
 * Relays a stream from a protocol that the client does not speak: every event is read into canonical parts, and every
 * part is written in the client's dialect. Nothing is sent before the first content arrives.
 */
export class CanonicalStreamReader implements AnswerReader {
  readonly #context: ReaderContext
  readonly #listener: AnswerListener
  readonly #outlet: ClientOutlet
  readonly #reader: PartReader
  readonly #writer: StreamWriter
  #ended = false
  #usage: Usage | null = null
  #usageIsFinal = false
  #answer: Answer = { usage: null, finishReason: null, nativeFinishReason: null }
  #parts = 0
  #outputChars = 0

  constructor(context: ReaderContext, pair: Speakers, listener: AnswerListener) {
    this.#context = context
    this.#listener = listener
    this.#outlet = new ClientOutlet(listener, 'utf8')
    this.#reader = pair.protocol.createStreamReader(pair.vendor, context.note)
    this.#writer = pair.dialect.createWriter(context)
  }

  get outputTokensEstimate(): number {
    return Math.max(this.#parts, Math.ceil(this.#outputChars / charsPerToken))
  }

  get finalAnswer(): Answer | null {
    return this.#usage !== null && this.#usageIsFinal ? { ...this.#answer, usage: this.#usage } : null
  }

  data(bytes: Buffer): void {
    if (this.#ended) return
    for (const part of this.#reader.push(bytes)) this.#take(part)
    this.#outlet.flushSoon()
  }

  end(): void {
    if (this.#ended) return
    for (const part of this.#reader.end()) this.#take(part)
    if (!this.#ended) this.#complete(false)
  }

  /** Written but unsent frames go first: the writer has counted them. */
  fail(error: GatewayError): string {
    return this.#outlet.takeUnsent() + this.#writer.fail(error)
  }

  #take(part: StreamPart): void {
    if (this.#ended) return
    switch (part.kind) {
      case 'failed':
        return this.#fail('error', part.message)
      case 'ended':
        return this.#complete(true)
      case 'usage-counted':
        this.#usage = part.usage
        this.#usageIsFinal ||= part.isFinal
        this.#outlet.add(this.#writer.write(part))
        return
      case 'finished':
        this.#answer = { usage: this.#usage, finishReason: part.reason, nativeFinishReason: part.native }
        break
      default:
        this.#count(part)
    }
    this.#outlet.open()
    this.#outlet.add(this.#writer.write(part))
  }

  #count(part: StreamPart): void {
    this.#parts += 1
    if ('text' in part) this.#outputChars += part.text.length
    if ('json' in part) this.#outputChars += part.json.length
  }

  // A stream that stops without a finish reason and without its end marker was cut off, however cleanly it was closed.
  #complete(sawEnd: boolean): void {
    const isFinished = this.#answer.finishReason !== null
    if (!isFinished && !this.#outlet.isOpen && (this.#usage === null || !sawEnd)) {
      return this.#fail('empty', 'The upstream returned an empty response.')
    }
    if (!isFinished && !sawEnd) return this.#fail('broken', 'The upstream ended its stream early.')
    this.#outlet.open()
    this.#outlet.flush()
    this.#ended = true
    const usage = this.#usage
    this.#listener.done({ ...this.#answer, usage }, (cost) =>
      this.#writer.close(chargedFor(usage, cost, this.#context)),
    )
  }

  #fail(kind: AnswerFailure['kind'], message: string): void {
    this.#outlet.flush()
    this.#ended = true
    this.#listener.unusable({ kind, message })
  }
}

const charsPerToken = 4
