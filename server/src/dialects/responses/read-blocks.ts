import type { FilePart, ImagePart, MediaSource, Part, TextPart } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '#lib/json.ts'

/**
 * The parts of a message's content. Unknown blocks are dropped, because they are translated for an upstream of another
 * protocol.
 */
export function readBlocks(content: JsonValue | undefined): Part[] {
  if (typeof content === 'string') return content === '' ? [] : [{ kind: 'text', text: content }]
  if (!Array.isArray(content)) return []
  const parts: Part[] = []
  for (const block of content) {
    const part = isJsonObject(block) ? readBlock(block) : null
    if (part !== null) parts.push(part)
  }
  return parts
}

/** The output of a tool: text, or blocks that a model can read. Anything else is shown to the model as JSON. */
export function readToolOutput(output: JsonValue | undefined): (TextPart | ImagePart | FilePart)[] {
  if (output === undefined || output === null || output === '') return []
  if (typeof output === 'string') return [{ kind: 'text', text: output }]
  if (!Array.isArray(output) || !output.every((block) => isJsonObject(block) && typeof block.type === 'string')) {
    return [{ kind: 'text', text: JSON.stringify(output) }]
  }
  const parts: (TextPart | ImagePart | FilePart)[] = []
  for (const part of readBlocks(output)) {
    if (part.kind === 'text' || part.kind === 'image' || part.kind === 'file') parts.push(part)
  }
  return parts
}

function readBlock(block: JsonObject): Part | null {
  const cache = block.cache_control === undefined ? {} : { cache: block.cache_control }
  switch (block.type) {
    case 'input_text':
    case 'output_text':
    case 'text': {
      const text = stringAt(block, 'text')
      return text === undefined || text === '' ? null : { kind: 'text', text, ...cache }
    }
    case 'input_image':
    case 'image_url': {
      const url = stringAt(block, 'image_url') ?? stringAt(objectAt(block, 'image_url'), 'url')
      const detail = stringAt(block, 'detail') ?? stringAt(objectAt(block, 'image_url'), 'detail')
      if (url === undefined) return null
      return { kind: 'image', source: mediaSource(url), ...(detail === undefined ? {} : { detail }), ...cache }
    }
    case 'input_file':
      return readFile(block)
    case 'input_audio': {
      const audio = objectAt(block, 'input_audio')
      const base64 = stringAt(audio, 'data')
      return base64 === undefined ? null : { kind: 'audio', base64, format: stringAt(audio, 'format') ?? 'wav' }
    }
    case 'input_video': {
      const url = stringAt(block, 'video_url')
      return url === undefined ? null : { kind: 'video', source: mediaSource(url) }
    }
    case 'refusal':
      return { kind: 'refusal', text: stringAt(block, 'refusal') ?? '' }
    default:
      return null
  }
}

function readFile(block: JsonObject): FilePart | null {
  const data = stringAt(block, 'file_data')
  const url = stringAt(block, 'file_url')
  const filename = stringAt(block, 'filename')
  const source = data === undefined ? (url === undefined ? null : mediaSource(url)) : fileSource(data)
  if (source === null) return null
  return {
    kind: 'file',
    source,
    ...(filename === undefined ? {} : { filename }),
    ...(block.cache_control === undefined ? {} : { cache: block.cache_control }),
  }
}

// Some clients send plain base64, which can only be a PDF document.
function fileSource(data: string): MediaSource {
  return isDataUri(data) ? mediaSource(data) : { kind: 'data', mediaType: 'application/pdf', base64: data }
}

function mediaSource(url: string): MediaSource {
  if (!isDataUri(url)) return { kind: 'url', url }
  const comma = url.indexOf(',')
  const [mediaType = '', ...attributes] = url.slice('data:'.length, comma).split(';')
  if (comma === -1 || attributes.at(-1)?.toLowerCase() !== 'base64') return { kind: 'url', url }
  return { kind: 'data', mediaType: mediaType.toLowerCase(), base64: url.slice(comma + 1) }
}

// The scheme is case-insensitive.
function isDataUri(text: string): boolean {
  return text.slice(0, 5).toLowerCase() === 'data:'
}
