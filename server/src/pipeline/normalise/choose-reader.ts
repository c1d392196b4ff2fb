import type { OpenAiQuirks } from '#providers/spec.ts'
import type { AnswerListener, AnswerReader } from '../types.ts'
import { ChatStreamReader } from './chat-stream-reader.ts'
import { createChatWholeReader } from './chat-whole-reader.ts'
import type { ReaderContext } from './reader-context.ts'

/** Streams are relayed as they come only where a stream was asked for and one is sent; all else is read whole. */
export function chooseReader(
  context: ReaderContext,
  quirks: OpenAiQuirks,
  wants: { stream: boolean; isEventStream: boolean },
  listener: AnswerListener,
): AnswerReader {
  if (wants.stream && wants.isEventStream) return new ChatStreamReader(context, quirks, listener)
  return createChatWholeReader(context, quirks, wants, listener)
}
