import type { ThoughtHistory } from '#domain/routing/trait-overrides.ts'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

/**
 * Joins content parts into one string, for upstreams that reject the array form. Parts that are not text stay and are
 * rejected.
 */
export function withTextContent(message: JsonObject): JsonObject {
  const { content } = message
  if (!Array.isArray(content) || !content.every(isTextPart)) return message
  return { ...message, content: content.map(({ text }) => text).join('') }
}

export const thoughtEdits: Readonly<Record<ThoughtHistory, (message: JsonObject) => JsonObject>> = {
  none: (message) => (hasThoughts(message) ? withoutThoughts(message) : message),
  reasoning: (message) => {
    if (message.reasoning_details === undefined && message.reasoning_content === undefined) return message
    const reasoning = message.reasoning ?? message.reasoning_content
    return { ...withoutThoughts(message), ...(reasoning === undefined ? {} : { reasoning }) }
  },
  'content-with-tools': (message) => {
    if (message.role !== 'assistant' || !hasThoughts(message)) return message
    const content = message.reasoning_content ?? message.reasoning
    const isKept = message.reasoning_content !== undefined || Array.isArray(message.tool_calls)
    return { ...withoutThoughts(message), ...(isKept && content !== undefined ? { reasoning_content: content } : {}) }
  },
  'content-always': (message) => {
    if (message.role !== 'assistant') return message
    const content = message.reasoning_content ?? message.reasoning
    return { ...withoutThoughts(message), reasoning_content: typeof content === 'string' ? content : '' }
  },
}

function withoutThoughts(message: JsonObject): JsonObject {
  const { reasoning: _reasoning, reasoning_details: _details, reasoning_content: _content, ...rest } = message
  return rest
}

function hasThoughts({ reasoning, reasoning_details: details, reasoning_content: content }: JsonObject): boolean {
  return reasoning !== undefined || details !== undefined || content !== undefined
}

function isTextPart(part: JsonValue): part is JsonObject & { text: string } {
  return isJsonObject(part) && part.type === 'text' && typeof part.text === 'string'
}
