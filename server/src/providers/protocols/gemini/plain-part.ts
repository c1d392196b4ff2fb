import type { OpaquePart, Part } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { buildMediaPart } from './build-media-part.ts'

/** A part that is said the same by user and model; nothing for those that only one side of a conversation has. */
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

/** A part that only Gemini knows, as it was sent; nothing where it is another vendor's. */
function opaqueValue({ protocol, value }: OpaquePart): JsonObject[] {
  return protocol === 'gemini' && isJsonObject(value) ? [value] : []
}
