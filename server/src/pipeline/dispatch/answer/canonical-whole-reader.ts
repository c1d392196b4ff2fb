import type { StreamWriter } from '#dialects/dialect.ts'
import { joinStreamParts } from '#domain/inference/join-stream-parts.ts'
import type { CanonicalReply } from '#domain/inference/reply.ts'
import { splitReply } from '#domain/inference/split-reply.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import type { Answer, AnswerListener, AnswerReader } from '../../types.ts'
import { chargedFor } from './charged-for.ts'
import type { Speakers } from './pair.ts'
import type { ReaderContext } from './reader-context.ts'
import { WholeBody } from '#lib/whole-body.ts'
import { nestingFailure } from './nested-answer.ts'
import { oversizeAnswer } from './oversize-answer.ts'

/**
 * Reads a response that is only useful as a whole, in any protocol, and writes it in any dialect, as a document or a
 * stream.
 */
export class CanonicalWholeReader implements AnswerReader {
  readonly outputTokensEstimate = 0
  /** Nothing can be billed before the last byte has arrived. */
  readonly finalAnswer = null
  readonly #context: ReaderContext
  readonly #pair: Speakers
  readonly #wants: { stream: boolean; isStream: boolean }
  readonly #listener: AnswerListener
  readonly #body: WholeBody
  #ended = false
  /** The writer of a stream that has started. */
  #writer: StreamWriter | null = null

  constructor(
    context: ReaderContext,
    pair: Speakers,
    wants: { stream: boolean; isStream: boolean },
    listener: AnswerListener,
  ) {
    this.#context = context
    this.#body = new WholeBody(context.answerBytesMax)
    this.#pair = pair
    this.#wants = wants
    this.#listener = listener
  }

  data(bytes: Buffer): void {
    if (this.#ended || this.#body.add(bytes)) return
    this.#ended = true
    this.#listener.unusable(oversizeAnswer)
  }

  end(): void {
    if (this.#ended) return
    this.#ended = true
    const bytes = this.#body.take()
    const read = this.#wants.isStream ? this.#readStream(bytes) : this.#readDocument(bytes)
    if ('failure' in read) return this.#listener.unusable(read.failure)
    this.#deliver(read.reply)
  }

  fail(error: GatewayError): string {
    return (this.#writer ?? this.#pair.dialect.createWriter(this.#context)).fail(error)
  }

  #readDocument(bytes: Buffer): Read {
    if (bytes.length === 0) return { failure: { kind: 'empty', message: 'The upstream returned an empty response.' } }
    const nesting = nestingFailure(bytes)
    if (nesting !== null) return { failure: nesting }
    const read = this.#pair.protocol.readDocument(bytes, this.#pair.vendor, this.#context.note)
    return read.ok ? { reply: read.reply } : { failure: { kind: 'error', message: read.failure.message } }
  }

  #readStream(bytes: Buffer): Read {
    const reader = this.#pair.protocol.createStreamReader(this.#pair.vendor, this.#context.note)
    const parts = [...reader.push(bytes), ...reader.end()]
    const failed = parts.find((part) => part.kind === 'failed')
    if (failed !== undefined) return { failure: { kind: 'error', message: failed.message } }
    if (!parts.some((part) => part.kind === 'finished' || part.kind === 'ended')) {
      return { failure: { kind: 'broken', message: 'The upstream ended its stream early.' } }
    }
    return { reply: joinStreamParts(parts) }
  }

  #deliver(reply: CanonicalReply): void {
    if (reply.choices.length === 0) {
      return this.#listener.unusable({ kind: 'empty', message: 'The upstream returned a response without content.' })
    }
    const answer = answerOf(reply)
    this.#listener.opened()
    if (this.#wants.stream) return this.#deliverParts(reply, answer)
    this.#listener.done(answer, (cost) =>
      this.#pair.dialect.renderDocument(reply, chargedFor(answer.usage, cost, this.#context), this.#context),
    )
  }

  #deliverParts(reply: CanonicalReply, answer: Answer): void {
    const writer = this.#pair.dialect.createWriter(this.#context)
    this.#writer = writer
    let frames = ''
    for (const part of splitReply(reply)) {
      if (part.kind !== 'usage-counted' && part.kind !== 'ended') frames += writer.write(part)
    }
    if (frames !== '') this.#listener.bytes(frames)
    this.#listener.done(answer, (cost) => writer.close(chargedFor(answer.usage, cost, this.#context)))
  }
}

type Read = { reply: CanonicalReply } | { failure: Parameters<AnswerListener['unusable']>[0] }

function answerOf(reply: CanonicalReply): Answer {
  const [first] = reply.choices
  return {
    usage: reply.usage,
    finishReason: first?.finishReason ?? null,
    nativeFinishReason: first?.nativeFinishReason ?? null,
  }
}
