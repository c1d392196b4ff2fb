import { charactersIn } from '#domain/media/speech.ts'
import type { Candidate } from '#domain/routing/candidates.ts'
import { assert } from '#lib/assert.ts'
import type { UnknownKind } from '#providers/note-unknown.ts'
import type { VendorSpec } from '#providers/spec.ts'
import type { AnswerListener, AnswerReader, Ticket } from '../../types.ts'
import { CanonicalStreamReader } from './canonical-stream-reader.ts'
import { CanonicalWholeReader } from './canonical-whole-reader.ts'
import { ChatStreamReader } from './chat-stream-reader.ts'
import { createChatWholeReader } from './chat-whole-reader.ts'
import { createMessagesRelayReader } from './messages-relay-reader.ts'
import { type Pair, pairOf } from './pair.ts'
import { type ReaderContext, readerContextOf, type ReaderLimits } from './reader-context.ts'
import { createResponsesRelayReader } from './responses-relay-reader.ts'
import { SpeechReader } from './speech-reader.ts'

type MakeReader = (ticket: Ticket, candidate: Candidate, contentType: string, listener: AnswerListener) => AnswerReader

/** Creates the reader of a response whose bytes pass as they arrive: a conversation or speech. */
export function createMakeReader(deps: {
  readonly vendorOf: (candidate: Candidate) => VendorSpec
  readonly limits: ReaderLimits
  /** Receives the unknown words in a candidate's answer. */
  readonly reportUnknown?: (candidate: Candidate, kind: UnknownKind, name: string) => void
  /** Whether output items are kept, unless the client opts out. */
  readonly keepsOutput?: boolean
}): MakeReader {
  return (ticket, candidate, contentType, listener) => {
    const vendor = deps.vendorOf(candidate)
    const { dialect } = ticket.arrival
    if (dialect.family === 'media') return speechReader(ticket, vendor, { contentType, ...deps.limits }, listener)
    const wants = { stream: ticket.plan.call.stream, contentType }
    const { reportUnknown } = deps
    const context: ReaderContext = {
      ...readerContextOf(ticket, candidate, deps.limits),
      ...(reportUnknown === undefined ? {} : { note: (kind, name) => reportUnknown(candidate, kind, name) }),
      ...(keepsOutputOf(ticket, deps.keepsOutput === true) ? outputNote(ticket) : {}),
    }
    return chooseReader(context, pairOf(dialect, vendor, candidate.upstreamModel), wants, listener)
  }
}

function keepsOutputOf({ arrival, plan }: Ticket, isDefault: boolean): boolean {
  return arrival.storage?.isStored === true || (isDefault && plan.call.body.store !== false)
}

function outputNote(ticket: Ticket): Pick<ReaderContext, 'noteOutput'> {
  return {
    noteOutput: (items) => {
      ticket.output = items
    },
  }
}

/**
 * The reader of a pair's answer. A relay reads a stream event by event only if the client asked for one and the
 * upstream sends one.
 */
export function chooseReader(
  context: ReaderContext,
  pair: Pair,
  wants: { stream: boolean; contentType: string },
  listener: AnswerListener,
): AnswerReader {
  const { stream, contentType } = wants
  const isEventStream = contentType.startsWith('text/event-stream')
  if (pair.relays === 'chat') {
    const { openai } = pair.vendor
    if (stream && isEventStream) return new ChatStreamReader(context, openai, listener)
    return createChatWholeReader(context, openai, { stream, isEventStream }, listener)
  }
  // Events in place of the requested document, or vice versa, are rewritten through the canonical form.
  if (pair.relays === 'messages' && (stream || !isEventStream)) {
    return createMessagesRelayReader(context, { stream, isEventStream }, listener)
  }
  if (pair.relays === 'responses' && stream === isEventStream) {
    return createResponsesRelayReader(context, pair.vendor, stream, listener)
  }
  const isStream = pair.protocol.isStream(contentType)
  if (stream && isStream) return new CanonicalStreamReader(context, pair, listener)
  return new CanonicalWholeReader(context, pair, { stream, isStream }, listener)
}

function speechReader(
  ticket: Ticket,
  vendor: VendorSpec,
  { contentType, answerBytesMax }: ReaderLimits & { contentType: string },
  listener: AnswerListener,
): SpeechReader {
  const task = ticket.plan.call.media?.task
  assert(task?.kind === 'speech', 'of media, speech alone is passed on as it comes')
  const codec = vendor.media?.speech
  const read = codec?.readDocument
  const speech = {
    sentType: contentType,
    statedType: codec?.contentTypeFor?.(task),
    format: task.format,
    characters: charactersIn(task.input),
    readDocument: read === undefined ? undefined : (document: Buffer) => read(document, task),
    answerBytesMax,
  }
  return new SpeechReader(speech, listener)
}
