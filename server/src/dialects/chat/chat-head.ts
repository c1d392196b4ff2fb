import type { JsonObject } from '#lib/json.ts'
import type { ReplyContext } from '../dialect.ts'

/** The first fields of every chat response and chunk, in OpenAI's order. */
export function chatHead(
  context: ReplyContext,
  object: 'chat.completion' | 'chat.completion.chunk' | 'text_completion',
): JsonObject {
  return { id: context.id, object, created: context.createdS, model: context.model }
}
