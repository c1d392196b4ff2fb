import type { JsonObject } from '#lib/json.ts'
import type { ReplyContext } from '../dialect.ts'

/** How every chat answer and chunk begins, in the order that OpenAI writes it. */
export function chatHead(context: ReplyContext, object: 'chat.completion' | 'chat.completion.chunk'): JsonObject {
  return { id: context.id, object, created: context.createdS, model: context.model }
}
