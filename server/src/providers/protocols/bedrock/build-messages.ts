import type { Turn } from '#domain/inference/call.ts'
import type { JsonObject } from '#lib/json.ts'
import { type BlockContext, contentBlocks } from './content-blocks.ts'

/**
 * The turns as messages. Roles must alternate, so adjacent turns of one role become one message. Instructions in the
 * middle of a conversation become user content, because there is no third role. Tool results come first, directly after
 * their calls.
 */
export function buildMessages(turns: readonly Turn[], context: BlockContext): JsonObject[] {
  const messages: Message[] = []
  for (const { role: speaker, parts } of turns) {
    const role: Message['role'] = speaker === 'assistant' ? 'assistant' : 'user'
    const last = messages.at(-1)
    const message: Message = last?.role === role ? last : { role, results: [], others: [] }
    for (const part of parts) {
      const place = part.kind === 'tool-result' ? message.results : message.others
      place.push(...contentBlocks(part, context))
    }
    const isEmpty = message.results.length === 0 && message.others.length === 0
    if (message !== last && !isEmpty) messages.push(message)
  }
  return messages.map(({ role, results, others }) => ({ role, content: [...results, ...others] }))
}

interface Message {
  role: 'user' | 'assistant'
  results: JsonObject[]
  others: JsonObject[]
}
