import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'

/** Content parts as one string, for hosts that refuse the list form. Parts that are not text stay, to be refused. */
export function withTextContent(message: JsonObject): JsonObject {
  const { content } = message
  if (!Array.isArray(content) || !content.every(isTextPart)) return message
  return { ...message, content: content.map(({ text }) => text).join('') }
}

/**
 * Reasoning under the name that the host gave it itself. Hosts that think between tool calls refuse the next turn
 * without it, while on other turns it only costs tokens.
 */
export function withReasoningContent(message: JsonObject): JsonObject {
  const { reasoning } = message
  if (message.role !== 'assistant' || !hasReasoning(message)) return message
  const edited = { ...message }
  if (Array.isArray(message.tool_calls) && edited.reasoning_content === undefined && typeof reasoning === 'string') {
    edited.reasoning_content = reasoning
  }
  delete edited.reasoning
  delete edited.reasoning_details
  return edited
}

/** For hosts that refuse fields they do not know inside messages too. */
export function withoutReasoning(message: JsonObject): JsonObject {
  if (!hasReasoning(message) && message.reasoning_content === undefined) return message
  const edited = { ...message }
  delete edited.reasoning
  delete edited.reasoning_details
  delete edited.reasoning_content
  return edited
}

function hasReasoning(message: JsonObject): boolean {
  return message.reasoning !== undefined || message.reasoning_details !== undefined
}

function isTextPart(part: JsonValue): part is JsonObject & { text: string } {
  return isJsonObject(part) && part.type === 'text' && typeof part.text === 'string'
}
