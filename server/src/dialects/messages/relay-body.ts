import { createHash } from 'node:crypto'
import { isJsonObject, type JsonObject, type JsonValue } from '#lib/json.ts'
import { isSealed } from './sealed-thought.ts'
import { readToolUseId } from './tool-use-id.ts'

/**
 * The body for an upstream that speaks Messages itself: as sent, but without what other upstreams gave the caller to
 * keep earlier in the conversation. Foreign thoughts would be refused for their signatures, and ids with something in
 * them for their length.
 */
export function relayBody(body: JsonObject): JsonObject {
  if (!Array.isArray(body.messages)) return body
  return { ...body, messages: body.messages.map(relayMessage).filter((message) => message !== null) }
}

// A message of which nothing is left would be refused as empty.
function relayMessage(message: JsonValue): JsonValue | null {
  if (!isJsonObject(message) || !Array.isArray(message.content)) return message
  const content = message.content.filter((block) => !isForeignThought(block)).map(relayBlock)
  return content.length === 0 && message.content.length > 0 ? null : { ...message, content }
}

function isForeignThought(block: JsonValue): boolean {
  if (!isJsonObject(block)) return false
  if (block.type === 'thinking') return typeof block.signature !== 'string' || isUnsigned(block.signature)
  return block.type === 'redacted_thinking' && typeof block.data === 'string' && isSealed(block.data)
}

function isUnsigned(signature: string): boolean {
  return signature === '' || isSealed(signature)
}

function relayBlock(block: JsonValue): JsonValue {
  if (!isJsonObject(block)) return block
  if (block.type === 'tool_use') return { ...block, id: relayId(block.id) }
  if (block.type === 'tool_result') return { ...block, tool_use_id: relayId(block.tool_use_id) }
  return block
}

// The same id always gives the same, so that results still find their calls.
function relayId(id: JsonValue | undefined): JsonValue | undefined {
  if (typeof id !== 'string') return id
  const own = readToolUseId(id).id
  if (own === id || plainForm.test(own)) return own
  return `toolu_${createHash('sha256').update(own).digest('hex').slice(0, 24)}`
}

const plainForm = /^[a-zA-Z0-9_-]+$/
