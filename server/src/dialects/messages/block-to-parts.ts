import type {
  FilePart,
  ImagePart,
  MediaSource,
  Part,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '#lib/json.ts'
import { isSealed, unseal } from './sealed-thought.ts'
import { readToolUseId } from './tool-use-id.ts'

/** The content of a message, a string or blocks. */
export function partsOf(content: JsonValue | undefined): Part[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  return Array.isArray(content) ? content.filter(isJsonObject).flatMap(blockToParts) : []
}

export function textPart(block: JsonObject): TextPart {
  return { kind: 'text', text: stringAt(block, 'text') ?? '', ...cacheOf(block) }
}

function blockToParts(block: JsonObject): Part[] {
  switch (block.type) {
    case 'text':
      return [textPart(block)]
    case 'image':
    case 'document':
      return mediaParts(block) ?? [opaque(block)]
    case 'tool_use':
      return [toolCallPart(block)]
    case 'tool_result':
      return [toolResultPart(block)]
    case 'thinking':
      return [thinkingPart(block)]
    case 'redacted_thinking':
      return [redactedPart(block)]
    default:
      return [opaque(block)]
  }
}

function opaque(block: JsonObject): Part {
  return { kind: 'opaque', protocol: 'anthropic', value: block }
}

type MediaPart = TextPart | ImagePart | FilePart

/** Returns undefined for sources that only their vendor can open, such as a stored file. */
function mediaParts(block: JsonObject): MediaPart[] | undefined {
  const source = objectAt(block, 'source')
  // A plain text document is sent as text, because hardly any model takes it as a file.
  if (source.type === 'text') return [{ kind: 'text', text: stringAt(source, 'data') ?? '', ...cacheOf(block) }]
  if (source.type === 'content') return mediaContent(source.content)
  const media = mediaSource(source)
  if (media === undefined) return undefined
  if (block.type === 'image') return [{ kind: 'image', source: media, ...cacheOf(block) }]
  const filename = stringAt(block, 'title')
  return [{ kind: 'file', source: media, ...(filename === undefined ? {} : { filename }), ...cacheOf(block) }]
}

function mediaSource(source: JsonObject): MediaSource | undefined {
  const { type, url, data, media_type: mediaType } = source
  if (type === 'url' && typeof url === 'string') return { kind: 'url', url }
  if (type !== 'base64' || typeof data !== 'string' || typeof mediaType !== 'string') return undefined
  return { kind: 'data', mediaType, base64: data }
}

/** Content of text and media only; a block of any other type is shown to the model as its JSON. */
function mediaContent(content: JsonValue | undefined): MediaPart[] {
  if (typeof content === 'string') return [{ kind: 'text', text: content }]
  if (!Array.isArray(content)) return []
  return content.filter(isJsonObject).flatMap((block): MediaPart[] => {
    if (block.type === 'text') return [textPart(block)]
    const media = block.type === 'image' || block.type === 'document' ? mediaParts(block) : undefined
    return media ?? [{ kind: 'text', text: JSON.stringify(block) }]
  })
}

function toolCallPart(block: JsonObject): ToolCallPart {
  return {
    kind: 'tool-call',
    ...readToolUseId(stringAt(block, 'id') ?? ''),
    name: stringAt(block, 'name') ?? '',
    argumentsJson: JSON.stringify(block.input ?? {}),
    ...cacheOf(block),
  }
}

function toolResultPart(block: JsonObject): ToolResultPart {
  return {
    kind: 'tool-result',
    callId: readToolUseId(stringAt(block, 'tool_use_id') ?? '').id,
    content: mediaContent(block.content),
    ...(typeof block.is_error === 'boolean' ? { isError: block.is_error } : {}),
    ...cacheOf(block),
  }
}

function thinkingPart(block: JsonObject): Part {
  const text = stringAt(block, 'thinking') ?? ''
  const signature = stringAt(block, 'signature') ?? ''
  if (isSealed(signature)) return unseal(signature, text)
  // Without a signature the thinking is not Anthropic's, and Anthropic would reject it.
  return signature === ''
    ? { kind: 'reasoning', text, format: 'unknown' }
    : { kind: 'reasoning', text, signature, format: 'anthropic' }
}

function redactedPart(block: JsonObject): Part {
  const data = stringAt(block, 'data') ?? ''
  return isSealed(data) ? unseal(data, '') : { kind: 'reasoning', text: '', encrypted: data, format: 'anthropic' }
}

function cacheOf({ cache_control: cache }: JsonObject): { cache?: JsonValue } {
  return cache === undefined || cache === null ? {} : { cache }
}
