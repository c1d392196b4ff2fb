import type { CacheMark, Part } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '#lib/json.ts'
import { mediaSourceOf } from './data-uri.ts'

/** The parts of a message's content, which is a string or an array. */
export function contentParts(content: JsonValue | undefined): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isJsonObject).map(contentPart) : []
}

/**
 * A value that only OpenAI-compatible upstreams understand. A value with a `type` is a content part; a value without
 * one holds members of its message or delta.
 */
export function openAiOpaque(value: JsonObject): Part {
  return { kind: 'opaque', protocol: 'openai', value }
}

export function cacheOf(holder: JsonObject): { cache?: CacheMark } {
  const mark = holder.cache_control
  return mark === undefined || mark === null ? {} : { cache: mark }
}

function contentPart(part: JsonObject): Part {
  switch (part.type) {
    case 'text':
      return { kind: 'text', text: stringAt(part, 'text') ?? '', ...cacheOf(part) }
    case 'refusal':
      return { kind: 'refusal', text: stringAt(part, 'refusal') ?? '' }
    case 'image_url':
      return imagePart(part)
    case 'file':
      return filePart(part)
    case 'input_audio': {
      const audio = objectAt(part, 'input_audio')
      return { kind: 'audio', base64: stringAt(audio, 'data') ?? '', format: stringAt(audio, 'format') ?? '' }
    }
    case 'video_url':
      return { kind: 'video', source: mediaSourceOf(stringAt(objectAt(part, 'video_url'), 'url') ?? '') }
    default:
      return openAiOpaque(part)
  }
}

function imagePart(part: JsonObject): Part {
  const image = objectAt(part, 'image_url')
  const detail = stringAt(image, 'detail')
  const source = mediaSourceOf(stringAt(image, 'url') ?? '')
  return { kind: 'image', source, ...(detail === undefined ? {} : { detail }), ...cacheOf(part) }
}

/** Only the upstream that issued a file id can read the file. */
function filePart(part: JsonObject): Part {
  const file = objectAt(part, 'file')
  const data = stringAt(file, 'file_data')
  if (data === undefined) return openAiOpaque(part)
  const filename = stringAt(file, 'filename')
  return {
    kind: 'file',
    source: mediaSourceOf(data),
    ...(filename === undefined ? {} : { filename }),
    ...cacheOf(part),
  }
}
