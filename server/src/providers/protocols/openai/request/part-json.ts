import type { MediaSource, Part } from '#domain/inference/parts.ts'
import type { JsonObject, JsonValue } from '#lib/json.ts'

/** A part as an element of a message's content. Undefined for parts that belong elsewhere. */
export function partJson(part: Part, keepsCacheMarks: boolean): JsonValue | undefined {
  const mark = (cache: JsonValue | undefined): JsonObject =>
    keepsCacheMarks && cache !== undefined ? { cache_control: cache } : {}
  switch (part.kind) {
    case 'text':
      return { type: 'text', text: part.text, ...mark(part.cache) }
    case 'image': {
      const detail = part.detail === undefined ? {} : { detail: part.detail }
      return { type: 'image_url', image_url: { url: mediaUrl(part.source), ...detail }, ...mark(part.cache) }
    }
    case 'file': {
      const filename = part.filename === undefined ? {} : { filename: part.filename }
      return { type: 'file', file: { ...filename, file_data: mediaUrl(part.source) }, ...mark(part.cache) }
    }
    case 'audio':
      return { type: 'input_audio', input_audio: { data: part.base64, format: part.format } }
    case 'video':
      return { type: 'video_url', video_url: { url: mediaUrl(part.source) } }
    case 'refusal':
      return { type: 'refusal', refusal: part.text }
    case 'opaque':
      return isContentPart(part) ? part.value : undefined
    default:
      return undefined
  }
}

function mediaUrl(source: MediaSource): string {
  return source.kind === 'url' ? source.url : `data:${source.mediaType};base64,${source.base64}`
}

/**
 * A part from an upstream of this protocol: with a `type` it is a content part, without one it holds members of a
 * message.
 */
function isContentPart(part: Part & { kind: 'opaque' }): boolean {
  const { protocol, value } = part
  return protocol === 'openai' && typeof value === 'object' && value !== null && 'type' in value
}

/** Members that belong on the message itself. */
export function messageMembers(parts: readonly Part[]): JsonObject {
  const members: JsonObject = {}
  for (const part of parts) {
    if (part.kind !== 'opaque' || part.protocol !== 'openai' || isContentPart(part)) continue
    if (typeof part.value === 'object' && !Array.isArray(part.value)) Object.assign(members, part.value)
  }
  return members
}
