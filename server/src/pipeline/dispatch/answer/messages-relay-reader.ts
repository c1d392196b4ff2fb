import { costDetails } from '#dialects/cost-details.ts'
import { errorFrame, eventFrame, namedFrame } from '#dialects/messages/frames.ts'
import { closingFrames, openingFrames, withCounts } from '#dialects/messages/relay-frames.ts'
import { type NanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import { countAt, isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { createSseSplitter, type SseSplitter } from '#lib/sse-splitter.ts'
import { noteMessage } from '#providers/protocols/anthropic/known-words.ts'
import { failureIn } from '#providers/protocols/anthropic/read-failure.ts'
import { readStop, withPublicStop } from '#providers/protocols/anthropic/read-stop.ts'
import { mergeUsage, readMessageUsage } from '#providers/protocols/anthropic/read-usage.ts'
import type { Answer, AnswerFailure, AnswerListener, AnswerReader } from '../../types.ts'
import { ClientOutlet } from './client-outlet.ts'
import { nativeFinishReason } from './native-finish-reason.ts'
import type { ReaderContext } from './reader-context.ts'
import { createRelayDocumentReader } from './relay-document-reader.ts'

/** Reads a Messages response for a Messages client, as a stream if one was requested. */
export function createMessagesRelayReader(
  context: ReaderContext,
  wants: { stream: boolean; isEventStream: boolean },
  listener: AnswerListener,
): AnswerReader {
  if (wants.stream && wants.isEventStream) return new MessagesRelayReader(context, listener)
  return createMessagesWholeReader(context, wants, listener)
}

/**
 * Relays a Messages event stream: the upstream's events pass unchanged, so that fields which the API adds later are not
 * lost. Only the start of the message (id, model) and its end are rewritten. The end is held back until the cost is
 * settled.
 */
class MessagesRelayReader implements AnswerReader {
  readonly #context: ReaderContext
  readonly #listener: AnswerListener
  readonly #outlet: ClientOutlet
  readonly #splitter: SseSplitter
  #isStarted = false
  #ended = false
  /** The connection has closed: an event that arrives now has no terminator and may be incomplete. */
  #isClosing = false
  #hasToolCalls = false
  #usage: JsonObject = {}
  #usageIsFinal = false
  #ending: JsonObject | null = null
  #frames = 0
  #outputTokens = 0

  constructor(context: ReaderContext, listener: AnswerListener) {
    this.#context = context
    this.#listener = listener
    this.#outlet = new ClientOutlet(listener, 'utf8')
    this.#splitter = createSseSplitter({
      onEvent: (payload) => this.#takeEvent(payload.toString('utf8')),
      eventBytesMax: context.frameBytesMax,
      onOversize: () => this.#fail('oversize', 'The upstream sent an oversized event.'),
    })
  }

  get outputTokensEstimate(): number {
    return this.#outputTokens
  }

  get finalAnswer(): Answer | null {
    return this.#usageIsFinal ? this.#answer() : null
  }

  data(bytes: Buffer): void {
    if (this.#ended) return
    this.#splitter.push(bytes)
    this.#outlet.flushSoon()
  }

  end(): void {
    if (this.#ended) return
    this.#isClosing = true
    this.#splitter.end()
    if (!this.#ended) this.#complete(false)
  }

  fail(error: GatewayError): string {
    return errorFrame(error)
  }

  #takeEvent(payload: string): void {
    if (this.#ended || payload.trim() === '') return
    this.#frames += 1
    if (this.#outlet.isOpen && !this.#isClosing && isPlainDelta(payload)) return this.#passDelta(payload)
    // Some upstreams end the stream like a chat stream.
    if (payload.trimEnd() === '[DONE]') return this.#complete(true)
    const event = parseJsonObject(payload)
    if (event === undefined) return this.#fail('broken', 'The upstream sent an event that is not valid JSON.')
    const failure = failureIn(event)
    if (failure !== undefined) return this.#fail('error', failure.message)
    if (this.#context.note !== undefined) noteMessage(event, this.#context.note)
    this.#takeParsed(event)
  }

  #takeParsed(event: JsonObject): void {
    switch (event.type) {
      case 'message_start':
        return this.#start(event)
      case 'message_delta':
        return this.#keepEnding(event)
      case 'message_stop':
        return this.#complete(true)
      // Before the first content, our own keep-alives replace pings.
      case 'ping':
        if (this.#outlet.isOpen) this.#send(event)
        return
      case 'content_block_start':
        this.#hasToolCalls ||= objectAt(event, 'content_block').type === 'tool_use'
        break
      case 'content_block_delta':
        this.#outputTokens += tokensIn(JSON.stringify(event))
        break
    }
    if (saysSomething(event) || this.#frames >= keptBackMax) this.#outlet.open()
    this.#send(event)
  }

  /**
   * A second start means that the upstream restarted: its usage replaces the first, and the client sees only one
   * message.
   */
  #start(event: JsonObject): void {
    const message = objectAt(event, 'message')
    this.#usage = objectAt(message, 'usage')
    if (!this.#isStarted) this.#send({ ...event, message: dress(message, this.#context) })
    this.#isStarted = true
  }

  #keepEnding(event: JsonObject): void {
    const { usage } = event
    const before = objectAt(this.#ending ?? {}, 'delta')
    this.#ending = { ...event, delta: withPublicStop({ ...before, ...objectAt(event, 'delta') }) }
    if (!isJsonObject(usage)) return
    this.#usage = mergeUsage(this.#usage, usage)
    // The count in the start event is a placeholder. Only a count that arrives with the stop reason is final.
    if (countAt(usage, 'output_tokens') !== undefined && this.#stopReason() !== '') this.#usageIsFinal = true
  }

  #passDelta(payload: string): void {
    this.#outputTokens += tokensIn(payload)
    this.#outlet.add(namedFrame('content_block_delta', payload))
  }

  #send(event: JsonObject): void {
    // Clients find events by their names, so an event without a type is useless to them.
    if (typeof event.type === 'string') this.#outlet.add(eventFrame({ ...event, type: event.type }))
  }

  // A stream that stops without a stop reason and without its last event was cut off, however cleanly it was closed.
  #complete(sawEnd: boolean): void {
    if (!sawEnd && this.#stopReason() === '' && this.#frames > 0) {
      return this.#fail('broken', 'The upstream ended its stream early.')
    }
    if (!this.#outlet.isOpen && this.#ending === null)
      return this.#fail('empty', 'The upstream returned an empty response.')
    this.#outlet.open()
    this.#outlet.flush()
    this.#ended = true
    const answer = this.#answer()
    this.#listener.done(answer, (cost) => this.#closing(answer, cost))
  }

  #answer(): Answer {
    const usage = this.#usageIsFinal ? (readMessageUsage(this.#usage) ?? null) : null
    return { usage, ...finishOf(objectAt(this.#ending ?? {}, 'delta'), this.#hasToolCalls) }
  }

  #closing({ usage }: Answer, cost: NanoUsd): string {
    const delta = objectAt(this.#ending ?? {}, 'delta')
    const stop = { stop_sequence: null, ...delta, stop_reason: delta.stop_reason ?? 'end_turn' }
    return closingFrames(
      { ...this.#ending, delta: stop },
      usage === null ? this.#usage : withCost(this.#usage, cost, this.#context.upstreamCostOf?.(usage)),
    )
  }

  #stopReason(): string {
    return stringAt(objectAt(this.#ending ?? {}, 'delta'), 'stop_reason') ?? ''
  }

  #fail(kind: AnswerFailure['kind'], message: string): void {
    this.#outlet.flush()
    this.#ended = true
    this.#listener.unusable({ kind, message })
  }
}

/** Reads a document. If the client requested a stream, it is sent as events. */
function createMessagesWholeReader(
  context: ReaderContext,
  wants: { stream: boolean; isEventStream: boolean },
  listener: AnswerListener,
): AnswerReader {
  const { answerBytesMax } = context
  const relay = { answerBytesMax, contentField: 'content', failureIn, deliver, fail: errorFrame } as const
  return createRelayDocumentReader(relay, listener)

  function deliver(document: JsonObject, blocks: readonly JsonObject[]): void {
    if (context.note !== undefined) noteMessage({ ...document, type: 'message' }, context.note)
    const message = withPublicStop(document)
    const reported = objectAt(message, 'usage')
    const usage = readMessageUsage(reported) ?? null
    const hasToolCalls = blocks.some(({ type }) => type === 'tool_use')
    const shown = (cost: NanoUsd): JsonObject =>
      usage === null ? reported : withCost(reported, cost, context.upstreamCostOf?.(usage))
    listener.opened()
    if (wants.stream) listener.bytes(openingFrames(dress(message, context), blocks))
    listener.done({ usage, ...finishOf(message, hasToolCalls) }, (cost) => {
      if (!wants.stream) return JSON.stringify({ ...dress(message, context), usage: withCounts(shown(cost)) })
      const { stop_reason: reason = 'end_turn', stop_sequence: sequence = null, stop_details: details } = message
      const delta = {
        stop_reason: reason,
        stop_sequence: sequence,
        ...(details === undefined ? {} : { stop_details: details }),
      }
      return closingFrames({ delta }, shown(cost))
    })
  }
}

// A delta need not be parsed, unless a line break between its members would split the frame.
function isPlainDelta(payload: string): boolean {
  return payload.startsWith('{"type":"content_block_delta",') && !/[\r\n]/.test(payload)
}

/** Whether an event brings content, beyond announcing it. */
function saysSomething(event: JsonObject): boolean {
  if (event.type === 'content_block_delta') return hasText(objectAt(event, 'delta'))
  if (event.type !== 'content_block_start') return false
  const block = objectAt(event, 'content_block')
  return (block.type !== 'text' && block.type !== 'thinking') || hasText(block)
}

function hasText({ type: _type, ...rest }: JsonObject): boolean {
  return Object.values(rest).some((value) => value !== '' && value !== null && !Array.isArray(value))
}

// The JSON around the text of a delta has about 85 bytes. An estimate for holds only.
function tokensIn(payload: string): number {
  return Math.max(1, Math.ceil((payload.length - 85) / 4))
}

// After this many events without content the stream is opened, because the held-back events must not grow forever.
const keptBackMax = 1_000

function dress(message: JsonObject, { id, model }: ReaderContext): JsonObject {
  return { ...message, id, model }
}

function finishOf(stop: JsonObject, hasToolCalls: boolean): Omit<Answer, 'usage'> {
  const read = readStop(stop, hasToolCalls)
  if (read === undefined) return { finishReason: null, nativeFinishReason: null }
  return {
    finishReason: read.reason,
    nativeFinishReason: nativeFinishReason([{ native_finish_reason: read.native }]),
  }
}

function withCost(usage: JsonObject, cost: NanoUsd, upstreamCost: NanoUsd | null | undefined): JsonObject {
  return { ...usage, weir_cost: usdJson(cost), ...costDetails(upstreamCost) }
}
