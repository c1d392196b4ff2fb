import { detailsOf } from '#dialects/chat/reasoning-details.ts'
import type { Turn } from '#domain/inference/call.ts'
import type { FilePart, MediaSource, Part, ReasoningPart, TextPart, ToolCallPart } from '#domain/inference/parts.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'

/** Converts a conversation to chat messages. */
export function chatMessages(system: readonly TextPart[], turns: readonly Turn[]): JsonObject[] {
  const messages: JsonObject[] = []
  if (system.length > 0) messages.push({ role: 'system', content: system.map(({ text }) => text).join('\n\n') })
  for (const turn of turns) {
    if (turn.role === 'assistant') messages.push(...assistantMessages(turn.parts))
    else messages.push(...plainMessages(turn))
  }
  return messages
}

/** Each tool result is a separate message. */
function plainMessages(turn: Turn): JsonObject[] {
  const messages: JsonObject[] = []
  const others: Part[] = []
  for (const part of turn.parts) {
    if (part.kind !== 'tool-result') others.push(part)
    else messages.push({ role: 'tool', tool_call_id: part.callId, content: contentOf(part.content) ?? '' })
  }
  const content = contentOf(others)
  if (content !== null) messages.push({ role: turn.role, content })
  return messages
}

/** Returns none if chat can express none of the parts. */
function assistantMessages(parts: readonly Part[]): JsonObject[] {
  const calls = parts.filter((part) => part.kind === 'tool-call')
  const thoughts = parts.filter((part) => part.kind === 'reasoning')
  const images = parts.filter((part) => part.kind === 'image')
  const refusal = parts.flatMap((part) => (part.kind === 'refusal' ? [part.text] : [])).join('')
  const content = contentOf(parts.filter((part) => part.kind !== 'image'))
  const said: JsonObject = {
    ...(refusal === '' ? {} : { refusal }),
    ...(images.length > 0 ? { images: images.flatMap(contentBlock) } : {}),
    ...(thoughts.length > 0 ? reasoningFields(thoughts) : {}),
    ...(calls.length > 0 ? { tool_calls: calls.map(toolCall) } : {}),
  }
  return content === null && Object.keys(said).length === 0 ? [] : [{ role: 'assistant', content, ...said }]
}

function toolCall(part: ToolCallPart): JsonObject {
  const { id, name, argumentsJson, signature } = part
  return {
    id,
    type: 'function',
    function: { name, arguments: argumentsJson === '' ? '{}' : argumentsJson },
    ...(signature === undefined ? {} : { extra_content: { google: { thought_signature: signature } } }),
  }
}

function reasoningFields(thoughts: readonly ReasoningPart[]): JsonObject {
  const text = thoughts.map((part) => part.text).join('')
  const details: JsonObject[] = []
  for (const part of thoughts) details.push(...detailsOf(part, details.length))
  return { ...(text === '' ? {} : { reasoning: text }), reasoning_details: details }
}

/** A single text is sent as a string, which every upstream understands; null if there is no content. */
function contentOf(parts: readonly Part[]): JsonValue {
  const blocks = parts.flatMap(contentBlock)
  if (blocks.length === 0) return null
  const [first, second] = blocks
  if (second === undefined && first?.type === 'text' && first.cache_control === undefined) return first.text ?? null
  return blocks
}

function contentBlock(part: Part): JsonObject[] {
  switch (part.kind) {
    case 'text':
      return [{ type: 'text', text: part.text, ...(part.cache === undefined ? {} : { cache_control: part.cache }) }]
    case 'image': {
      const detail = part.detail === undefined ? {} : { detail: part.detail }
      return [{ type: 'image_url', image_url: { url: urlOf(part.source), ...detail } }]
    }
    case 'file':
      return [fileBlock(part)]
    case 'audio':
      return [{ type: 'input_audio', input_audio: { data: part.base64, format: part.format } }]
    case 'video':
      return [{ type: 'video_url', video_url: { url: urlOf(part.source) } }]
    default:
      return []
  }
}

function fileBlock(part: FilePart): JsonObject {
  const filename = part.filename === undefined ? {} : { filename: part.filename }
  return { type: 'file', file: { ...filename, file_data: urlOf(part.source) } }
}

function urlOf(source: MediaSource): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.base64}`
}
