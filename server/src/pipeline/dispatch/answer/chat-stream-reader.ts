import { dataFrame, doneFrame, errorFrames } from '#dialects/chat/frames.ts'
import { chatUsage } from '#dialects/chat/usage-json.ts'
import type { Usage } from '#domain/inference/usage.ts'
import type { NanoUsd } from '#domain/money/nano-usd.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { createSseSplitter, type SseSplitter } from '#lib/sse-splitter.ts'
import { chunkFailure } from '#providers/protocols/openai/failure/chunk-failure.ts'
import { noteChunk } from '#providers/protocols/openai/answer/known-words.ts'
import { readUsage } from '#providers/protocols/openai/answer/read-usage.ts'
import { createChunkState, tidyChunk } from '#providers/protocols/openai/answer/tidy-chunk.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import type { Answer, AnswerFailure, AnswerListener, AnswerReader } from '../../types.ts'
import { ClientOutlet } from './client-outlet.ts'
import { choicesOf, dropReasoning, finishOf } from './chunk-choices.ts'
import { hasSubstance } from './has-substance.ts'
import { HeadSwap } from './head-swap.ts'
import { nativeFinishReason } from './native-finish-reason.ts'
import { OutputMeter } from './output-meter.ts'
import type { ReaderContext } from './reader-context.ts'

/**
 * Relays an OpenAI-compatible event stream as a chat stream. Most frames need only a new head (id, created, model), so
 * the rest is passed on unparsed behind it. Only frames with something to normalize, to bill or to hold back are
 * parsed.
 *
 * The frame with the finish reason is kept until the end: usage and cost are sent with it, after they are settled.
 */
export class ChatStreamReader implements AnswerReader {
  readonly #context: ReaderContext
  readonly #quirks: OpenAiQuirks
  readonly #listener: AnswerListener
  readonly #outlet: ClientOutlet
  readonly #heads: HeadSwap
  readonly #splitter: SseSplitter
  readonly #chunkState = createChunkState()
  #ended = false
  /** The connection has closed: a frame that arrives now has no terminator and may be incomplete. */
  #isClosing = false
  #usage: Usage | null = null
  #usageIsFinal = false
  #finish: JsonObject | null = null
  #answer: Answer = { usage: null, finishReason: null, nativeFinishReason: null }
  /**
   * Passed frames have the same framing among themselves, and so have parsed frames, so each kind has its own meter.
   */
  readonly #passed = new OutputMeter()
  readonly #parsed = new OutputMeter()
  #keptBack = 0

  constructor(context: ReaderContext, quirks: OpenAiQuirks, listener: AnswerListener) {
    this.#context = context
    this.#quirks = quirks
    this.#listener = listener
    this.#outlet = new ClientOutlet(listener, 'latin1')
    this.#heads = new HeadSwap(context)
    this.#splitter = createSseSplitter({
      onEvent: (payload) => this.#takeEvent(payload),
      eventBytesMax: context.frameBytesMax,
      onOversize: () => this.#fail('oversize', 'The upstream sent an oversized event.'),
    })
  }

  get outputTokensEstimate(): number {
    return this.#passed.tokens + this.#parsed.tokens
  }

  get finalAnswer(): Answer | null {
    return this.#usage !== null && this.#usageIsFinal ? { ...this.#answer, usage: this.#usage } : null
  }

  data(bytes: Buffer): void {
    if (this.#ended) return
    if (this.#splitter.isBetweenEvents && this.#outlet.isOpen && this.#quirks.thinkTags !== true)
      this.#takeWholeFrames(bytes)
    else this.#splitter.push(bytes)
    this.#outlet.flushSoon()
  }

  end(): void {
    if (this.#ended) return
    this.#isClosing = true
    this.#splitter.end()
    if (!this.#ended) this.#complete(false)
  }

  fail(error: GatewayError): string {
    return errorFrames(error)
  }

  /** Complete frames in these bytes, without slicing them into separate buffers. */
  #takeWholeFrames(bytes: Buffer): void {
    const whole = wholeFramesIn(bytes)
    if (whole === 0) return this.#splitter.push(bytes)
    const text = bytes.toString('latin1', 0, whole)
    let start = 0
    while (start < text.length && !this.#ended) {
      const end = text.indexOf('\n\n', start)
      const payload = text.startsWith('data: ', start) ? text.slice(start + 6, end) : null
      if (payload === null || !this.#passOn(payload))
        this.#splitter.push(Buffer.from(text.slice(start, end + 2), 'latin1'))
      start = end + 2
    }
    if (whole < bytes.length && !this.#ended) this.#splitter.push(bytes.subarray(whole))
  }

  #passOn(payload: string): boolean {
    const swapped = this.#heads.swap(payload)
    if (swapped === null) return false
    this.#passed.add(payload.length)
    this.#outlet.add(`data: ${swapped}\n\n`)
    return true
  }

  #takeEvent(payload: Buffer): void {
    // Some upstreams keep connections alive with empty events.
    if (this.#ended || payload.length === 0) return
    // Every frame is parsed until the first content, because nothing has been promised yet.
    const mayPass = this.#outlet.isOpen && !this.#isClosing && this.#quirks.thinkTags !== true
    if (mayPass && this.#passOn(payload.toString('latin1'))) return
    const text = payload.toString('utf8')
    if (text.trimEnd() === '[DONE]') return this.#complete(true)
    this.#parsed.add(payload.length)
    const chunk = parseJsonObject(text)
    if (chunk === undefined) return this.#fail('broken', 'The upstream sent an event that is not valid JSON.')
    this.#heads.learn(payload, chunk)
    this.#takeChunk(chunk)
  }

  #takeChunk(chunk: JsonObject): void {
    const failure = chunkFailure(chunk, this.#quirks)
    if (failure !== undefined) return this.#fail('error', failure.message)
    if (this.#context.note !== undefined) noteChunk(chunk, this.#quirks, this.#context.note)
    const seen = readUsage(chunk, this.#quirks)
    if (seen !== undefined) {
      this.#usage = seen
      // A running count may still grow. A count that arrives with or after the finish, or without choices, is final.
      this.#usageIsFinal = this.#finish !== null || choicesOf(chunk).length === 0 || finishOf(chunk) !== null
    }
    tidyChunk(chunk, this.#chunkState, this.#quirks)
    if (this.#context.excludeReasoning) dropReasoning(chunk)
    const reason = finishOf(chunk)
    if (reason !== null) return this.#keepFinish(chunk, reason)
    if (choicesOf(chunk).length === 0) return
    if (hasSubstance(chunk) || this.#keptBack >= keptBackMax) this.#outlet.open()
    this.#sendChunk(chunk)
  }

  #keepFinish(chunk: JsonObject, finishReason: string): void {
    const nativeReason = nativeFinishReason(choicesOf(chunk))
    this.#answer = { usage: this.#usage, finishReason, nativeFinishReason: nativeReason }
    if (this.#finish !== null) this.#sendChunk(this.#finish)
    this.#finish = chunk
    if (this.#usage !== null) this.#usageIsFinal = true
    this.#outlet.open()
  }

  #sendChunk(chunk: JsonObject): void {
    this.#keptBack += 1
    this.#outlet.add(asLatin1(dataFrame(JSON.stringify(this.#heads.dress(chunk)))))
  }

  // A stream that stops without a finish reason and without [DONE] was cut off, however cleanly it was closed.
  #complete(sawDone: boolean): void {
    if (this.#finish === null && !sawDone && !this.#usageIsFinal && this.#parsed.frames > 0) {
      return this.#fail('broken', 'The upstream ended its stream early.')
    }
    if (!this.#outlet.isOpen && this.#finish === null && this.#usage === null) {
      return this.#fail('empty', 'The upstream returned an empty response.')
    }
    this.#outlet.open()
    this.#outlet.flush()
    this.#ended = true
    this.#listener.done({ ...this.#answer, usage: this.#usage }, (cost) => this.#closing(cost))
  }

  #closing(cost: NanoUsd): string {
    if (this.#finish === null && this.#usage === null) return doneFrame
    const chunk = this.#heads.dress(this.#finish ?? { choices: [] })
    if (this.#usage !== null) chunk.usage = chatUsage(this.#usage, cost, this.#context.upstreamCostOf?.(this.#usage))
    return dataFrame(JSON.stringify(chunk)) + doneFrame
  }

  #fail(kind: AnswerFailure['kind'], message: string): void {
    this.#outlet.flush()
    this.#ended = true
    this.#listener.unusable({ kind, message })
  }
}

const frameEnd = Buffer.from('\n\n')
const lineFeed = 10

/** Number of bytes in the complete frames. Most chunks are exactly one frame, which their last bytes show. */
function wholeFramesIn(bytes: Buffer): number {
  const { length } = bytes
  if (bytes[length - 1] === lineFeed && bytes[length - 2] === lineFeed) return length
  const last = bytes.lastIndexOf(frameEnd)
  return last === -1 ? 0 : last + frameEnd.length
}

// After this many chunks without content the stream is opened, because the held-back frames must not grow forever.
const keptBackMax = 1_000

function asLatin1(text: string): string {
  return Buffer.from(text).toString('latin1')
}
