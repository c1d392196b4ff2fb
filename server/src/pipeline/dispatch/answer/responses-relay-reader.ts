import {
  type Dress,
  dressItem,
  dressLast,
  dressResponse,
  failedResponse,
  namedFrame,
  numberedFrame,
  saysSomething,
} from '#dialects/responses/relay-frames.ts'
import { ResponsesWriter } from '#dialects/responses/responses-writer.ts'
import type { GatewayError } from '#errors/gateway-error.ts'
import { countAt, isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { createSseSplitter, type SseSplitter } from '#lib/sse-splitter.ts'
import { noteResponse, noteResponseEvent } from '#providers/protocols/responses/known-words.ts'
import { readEnd } from '#providers/protocols/responses/read-end.ts'
import { failureIn } from '#providers/protocols/responses/read-failure.ts'
import { readResponseUsage } from '#providers/protocols/responses/read-usage.ts'
import type { ResponsesVendor } from '#providers/spec.ts'
import type { Answer, AnswerFailure, AnswerListener, AnswerReader } from '../../types.ts'
import { ClientOutlet } from './client-outlet.ts'
import { chargedFor } from './charged-for.ts'
import { oversizeAnswer } from './oversize-answer.ts'
import type { ReaderContext } from './reader-context.ts'
import { createRelayDocumentReader } from './relay-document-reader.ts'

/** Reads a Responses response for a Responses client: a stream as a stream, a document as a document. */
export function createResponsesRelayReader(
  context: ReaderContext,
  { responses }: ResponsesVendor,
  stream: boolean,
  listener: AnswerListener,
): AnswerReader {
  const dressed = { ...context, thoughts: responses.thoughts }
  return stream ? new ResponsesRelayReader(dressed, listener) : createResponsesWholeReader(dressed, listener)
}

type DressedContext = ReaderContext & Dress

/**
 * Relays a Responses event stream: the upstream's events pass unchanged, so that fields which the API adds later are
 * not lost. The response gets our id and model, events get our sequence numbers, and the last event is held back until
 * the cost is settled.
 */
class ResponsesRelayReader implements AnswerReader {
  readonly #context: DressedContext
  readonly #listener: AnswerListener
  readonly #outlet: ClientOutlet
  readonly #splitter: SseSplitter
  readonly #done = new Map<number, JsonObject>()
  #hasBegun = false
  #ended = false
  /** The connection has closed: an event that arrives now has no terminator and may be incomplete. */
  #isClosing = false
  #hasToolCalls = false
  #events = 0
  #sequenceNumber = 0
  #outputTokens = 0

  constructor(context: DressedContext, listener: AnswerListener) {
    this.#context = context
    this.#listener = listener
    this.#outlet = new ClientOutlet(listener, 'utf8')
    this.#splitter = createSseSplitter({
      onEvent: (payload) => this.#takeEvent(payload.toString('utf8')),
      // The last event repeats the whole response.
      eventBytesMax: context.answerBytesMax,
      onOversize: () => this.#fail(oversizeAnswer.kind, oversizeAnswer.message),
    })
  }

  /** Only the last event contains the usage. */
  readonly finalAnswer = null

  get outputTokensEstimate(): number {
    return this.#outputTokens
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
    if (this.#ended) return
    if (this.#events === 0) this.#fail('empty', 'The upstream returned an empty response.')
    else this.#fail('broken', 'The upstream ended its stream early.')
  }

  /** Numbered but unsent events go first. */
  fail(error: GatewayError): string {
    this.#begin()
    this.#send({ type: 'response.failed', response: failedResponse(error, this.#doneItems, this.#context) })
    return this.#outlet.takeUnsent()
  }

  get #doneItems(): JsonObject[] {
    return [...this.#done].sort(([one], [other]) => one - other).map(([, item]) => item)
  }

  #takeEvent(payload: string): void {
    if (this.#ended || payload.trim() === '' || payload.trimEnd() === '[DONE]') return
    this.#events += 1
    if (this.#outlet.isOpen && !this.#isClosing) {
      const type = plainDeltaType(payload, this.#sequenceNumber)
      if (type !== undefined) return this.#passDelta(type, payload)
    }
    const event = parseJsonObject(payload)
    if (event === undefined) return this.#fail('broken', 'The upstream sent an event that is not valid JSON.')
    const failure = failureIn(event)
    if (failure !== undefined) return this.#fail('error', failure.message)
    if (this.#context.note !== undefined) noteResponseEvent(event, this.#context.note)
    this.#takeParsed(event)
  }

  #takeParsed(event: JsonObject): void {
    switch (event.type) {
      // The gateway begins every response with its own two start events, whatever arrives first.
      case 'response.created':
      case 'response.in_progress':
      case 'response.queued':
        return
      case 'response.completed':
      case 'response.incomplete':
        return this.#complete(event)
    }
    // Clients find events by their names, so an event without a type is useless to them.
    if (typeof event.type !== 'string' || this.#isHidden(event.type)) return
    this.#begin()
    if (saysSomething(event) || this.#events >= keptBackMax) this.#outlet.open()
    this.#outputTokens += tokensIn(event)
    this.#send(isJsonObject(event.item) ? { ...event, item: this.#takeItem(event, event.item) } : event)
  }

  #takeItem(event: JsonObject, item: JsonObject): JsonObject {
    this.#hasToolCalls ||= item.type === 'function_call'
    const dressed = dressItem(item, this.#context)
    if (event.type === 'response.output_item.done') this.#done.set(countAt(event, 'output_index') ?? 0, dressed)
    return dressed
  }

  #isHidden(type: string): boolean {
    return this.#context.excludeReasoning && type.startsWith('response.reasoning_')
  }

  #passDelta(type: string, payload: string): void {
    this.#outputTokens += Math.max(1, Math.ceil((payload.length - deltaEnvelope) / charsPerToken))
    if (this.#isHidden(type)) return
    this.#sequenceNumber += 1
    this.#outlet.add(namedFrame(type, payload))
  }

  #begin(): void {
    if (this.#hasBegun) return
    this.#hasBegun = true
    const response = dressResponse({ status: 'in_progress' }, this.#context)
    this.#send({ type: 'response.created', response })
    this.#send({ type: 'response.in_progress', response })
  }

  #send(event: JsonObject): void {
    this.#outlet.add(numberedFrame(event, this.#sequenceNumber))
    this.#sequenceNumber += 1
  }

  #complete(event: JsonObject): void {
    this.#begin()
    this.#outlet.open()
    this.#outlet.flush()
    this.#ended = true
    const response = objectAt(event, 'response')
    const answer = answerOf(response, this.#hasToolCalls)
    this.#listener.done(answer, (cost) => {
      const charged = chargedFor(answer.usage, cost, this.#context)
      const last = dressLast(response, this.#context, { charged, doneItems: this.#doneItems })
      return numberedFrame({ ...event, response: last }, this.#sequenceNumber)
    })
  }

  #fail(kind: AnswerFailure['kind'], message: string): void {
    this.#outlet.flush()
    this.#ended = true
    this.#listener.unusable({ kind, message })
  }
}

function createResponsesWholeReader(context: DressedContext, listener: AnswerListener): AnswerReader {
  const { answerBytesMax } = context
  const fail = (error: GatewayError): string => new ResponsesWriter(context).fail(error)
  return createRelayDocumentReader({ answerBytesMax, contentField: 'output', failureIn, deliver, fail }, listener)

  function deliver(response: JsonObject, items: readonly JsonObject[]): void {
    if (context.note !== undefined) noteResponse(response, context.note)
    const hasToolCalls = items.some(({ type }) => type === 'function_call')
    const answer = answerOf(response, hasToolCalls)
    listener.opened()
    listener.done(answer, (cost) =>
      JSON.stringify(dressLast(response, context, { charged: chargedFor(answer.usage, cost, context), doneItems: [] })),
    )
  }
}

function answerOf(response: JsonObject, hasToolCalls: boolean): Answer {
  const end = readEnd(response, hasToolCalls)
  return {
    usage: readResponseUsage(response) ?? null,
    finishReason: end?.reason ?? null,
    nativeFinishReason: end?.native ?? null,
  }
}

/** The type of a delta that already has the right number and need not be parsed. Undefined for every other event. */
function plainDeltaType(payload: string, sequenceNumber: number): string | undefined {
  const type = /^\{"type":"(response\.[a-z_.]+\.delta)","sequence_number":(\d+),/.exec(payload)
  // A line break between its members would split the frame.
  return type?.[2] === String(sequenceNumber) && !/[\r\n]/.test(payload) ? type[1] : undefined
}

// An estimate for holds only. The JSON around a delta has about 150 bytes.
const deltaEnvelope = 150
const charsPerToken = 4

function tokensIn(event: JsonObject): number {
  const delta = stringAt(event, 'delta')
  return delta === undefined ? 0 : Math.max(1, Math.ceil(delta.length / charsPerToken))
}

// After this many events without content the stream is opened, because the held-back events must not grow forever.
const keptBackMax = 1_000
