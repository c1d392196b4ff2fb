import type { MediaSource, Part, ReasoningPart, ToolCallPart } from '#domain/inference/parts.ts'
import { type JsonObject, parseJsonObject } from '#lib/json.ts'
import { unreachable } from '#lib/unreachable.ts'
import { opaqueBlock, sealedThinking } from './foreign-blocks.ts'
import { toolUseId } from './tool-use-id.ts'

/** The block of a response as JSON text, or null for a part that this API does not show. */
export function renderBlock(part: Part, wants: { excludeReasoning: boolean }): string | null {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? null : JSON.stringify({ type: 'text', text: part.text })
    case 'reasoning':
      return jsonOrNull(reasoningBlock(part, wants))
    case 'tool-call':
      return toolUseBlock(part)
    case 'image':
      return JSON.stringify({ type: 'image', source: imageSource(part.source) })
    case 'opaque':
      return JSON.stringify(opaqueBlock(part))
    // Models do not output these parts in response to a Messages request.
    case 'file':
    case 'audio':
    case 'video':
    case 'tool-result':
      return null
    default:
      return unreachable(part)
  }
}

function jsonOrNull(block: JsonObject | null): string | null {
  return block === null ? null : JSON.stringify(block)
}

/** A client that wants no reasoning still gets the signature, because without it the next turn may be rejected. */
function reasoningBlock(part: ReasoningPart, { excludeReasoning }: { excludeReasoning: boolean }): JsonObject | null {
  const thinking = excludeReasoning ? '' : part.text
  if (part.format !== 'anthropic') return sealedThinking({ ...part, text: thinking })
  if (part.encrypted !== undefined) return { type: 'redacted_thinking', data: part.encrypted }
  if (thinking === '' && part.signature === undefined) return null
  return { type: 'thinking', thinking, signature: part.signature ?? '' }
}

/** The arguments are written as the model wrote them, because parsing would round large numbers. */
function toolUseBlock({ id, name, argumentsJson, signature }: ToolCallPart): string {
  const head = JSON.stringify({ type: 'tool_use', id: toolUseId(id, signature), name })
  return `${head.slice(0, -1)},"input":${inputJson(argumentsJson)}}`
}

// Input is always an object. If truncated output is not one, it is kept as text for the client.
function inputJson(argumentsJson: string): string {
  if (argumentsJson.trim() === '') return '{}'
  return parseJsonObject(argumentsJson) === undefined ? JSON.stringify({ arguments: argumentsJson }) : argumentsJson
}

export function imageSource(source: MediaSource): JsonObject {
  return source.kind === 'url'
    ? { type: 'url', url: source.url }
    : { type: 'base64', media_type: source.mediaType, data: source.base64 }
}
