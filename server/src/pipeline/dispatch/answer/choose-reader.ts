import type { AnswerListener, AnswerReader } from '../../types.ts'
import { CanonicalStreamReader } from './canonical-stream-reader.ts'
import { CanonicalWholeReader } from './canonical-whole-reader.ts'
import { ChatStreamReader } from './chat-stream-reader.ts'
import { createChatWholeReader } from './chat-whole-reader.ts'
import { createMessagesRelayReader } from './messages-relay-reader.ts'
import type { Pair } from './pair.ts'
import type { ReaderContext } from './reader-context.ts'

/**
 * Where caller and upstream speak the same, the answer is relayed with the edits the contract names; everywhere else it goes
 * through the canonical form. Streams are relayed as they come only where one was asked for and one is sent.
 */
export function chooseReader(
  context: ReaderContext,
  pair: Pair,
  wants: { stream: boolean; contentType: string },
  listener: AnswerListener,
): AnswerReader {
  const { dialect, protocol, vendor } = pair
  const { stream, contentType } = wants
  const isEventStream = contentType.startsWith('text/event-stream')
  if (dialect.name === 'chat' && vendor.protocol === 'openai') {
    if (stream && isEventStream) return new ChatStreamReader(context, vendor.openai, listener)
    return createChatWholeReader(context, vendor.openai, { stream, isEventStream }, listener)
  }
  if (dialect.name === 'messages' && vendor.protocol === 'anthropic' && (stream || !isEventStream)) {
    return createMessagesRelayReader(context, { stream, isEventStream }, listener)
  }
  const isStream = protocol.isStream(contentType)
  if (stream && isStream) return new CanonicalStreamReader(context, pair, listener)
  return new CanonicalWholeReader(context, pair, { stream, isStream }, listener)
}
