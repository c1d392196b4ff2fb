import type { OpaquePart, Part } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { buildMediaPart } from './build-media-part.ts'

/** A part with the same form for user and model. Empty for parts that only one role has. */
export function plainPart(part: Part): JsonObject[] {
  switch (part.kind) {
    case 'text':
    case 'refusal':
      return part.text === '' ? [] : [{ text: part.text }]
    case 'image':
    case 'file':
    case 'audio':
    case 'video':
      return [buildMediaPart(part)]
    case 'opaque':
      return opaqueValue(part)
    default:
      return []
  }
}

/** A part that only Gemini knows, unchanged. Empty if it belongs to another vendor. */
function opaqueValue({ protocol, value }: OpaquePart): JsonObject[] {
  return protocol === 'gemini' && isJsonObject(value) ? [value] : []
}
