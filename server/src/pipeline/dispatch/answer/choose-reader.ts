import type { AnswerListener, AnswerReader } from '../../types.ts'
import { CanonicalStreamReader } from './canonical-stream-reader.ts'
import { CanonicalWholeReader } from './canonical-whole-reader.ts'
import { ChatStreamReader } from './chat-stream-reader.ts'
import { createChatWholeReader } from './chat-whole-reader.ts'
import { createMessagesRelayReader } from './messages-relay-reader.ts'
import type { Pair } from './pair.ts'
import type { ReaderContext } from './reader-context.ts'

/** The reader of a pair's answer. A relay reads a stream event by event only if the client asked for one and the upstream sends one. */
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
  // Events in place of the document that was asked for have to be put together, which only the canonical form does.
  if (pair.relays === 'messages' && (stream || !isEventStream)) {
    return createMessagesRelayReader(context, { stream, isEventStream }, listener)
  }
  const isStream = pair.protocol.isStream(contentType)
  if (stream && isStream) return new CanonicalStreamReader(context, pair, listener)
  return new CanonicalWholeReader(context, pair, { stream, isStream }, listener)
}
