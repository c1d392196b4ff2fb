import type {
  CacheMark,
  FilePart,
  MediaSource,
  Part,
  ReasoningPart,
  TextPart,
  ToolCallPart,
  ToolResultPart,
} from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject, parseJsonObject } from '#lib/json.ts'
import { unreachable } from '#lib/unreachable.ts'

/** A part as a content block: one, or none if this API cannot express it. */
export function writeBlock(part: Part, role: 'user' | 'assistant', ignored: Set<string>): JsonObject[] {
  switch (part.kind) {
    case 'text':
      return writeText(part)
    case 'refusal':
      return writeText({ kind: 'text', text: part.text })
    case 'image':
    case 'file':
    case 'audio':
    case 'video': {
      const block = role === 'user' ? writeMedia(part) : undefined
      if (block === undefined) ignored.add(part.kind)
      return block === undefined ? [] : [block]
    }
    case 'tool-call':
      return [writeToolCall(part)]
    case 'tool-result':
      return [writeToolResult(part, ignored)]
    case 'reasoning':
      return writeReasoning(part)
    case 'opaque':
      return part.protocol === 'anthropic' && isJsonObject(part.value) ? [part.value] : []
    default:
      return unreachable(part)
  }
}

/** Empty texts are rejected, so they are left out. */
export function writeText({ text, cache }: TextPart): JsonObject[] {
  return text === '' ? [] : [{ type: 'text', text, ...marked(cache) }]
}

/** Whether thinking can be sent back: only Anthropic's own, and only with its signature. */
export function isReplayable(part: Part): boolean {
  return part.kind === 'reasoning' && writeReasoning(part).length > 0
}

export function marked(cache: CacheMark | undefined): JsonObject {
  return cache === undefined || cache === null ? {} : { cache_control: cache }
}

function writeReasoning({ format, text, signature, encrypted }: ReasoningPart): JsonObject[] {
  if (format !== 'anthropic') return []
  if (signature !== undefined && signature !== '') return [{ type: 'thinking', thinking: text, signature }]
  return encrypted === undefined ? [] : [{ type: 'redacted_thinking', data: encrypted }]
}

function writeMedia(part: Part): JsonObject | undefined {
  if (part.kind === 'image') return { type: 'image', source: writeSource(part.source), ...marked(part.cache) }
  return part.kind === 'file' ? writeFile(part) : undefined
}

function writeSource(source: MediaSource): JsonObject {
  if (source.kind === 'url') return { type: 'url', url: source.url }
  return { type: 'base64', media_type: source.mediaType, data: source.base64 }
}

const textTypes = /^(?:text\/|application\/(?:json|xml|yaml)\b)/i

/** Documents are PDF or plain text. Undefined for other types. */
function writeFile({ source, filename, cache }: FilePart): JsonObject | undefined {
  const title = filename === undefined || filename === '' ? {} : { title: filename }
  const document = (content: JsonObject): JsonObject => ({
    type: 'document',
    source: content,
    ...title,
    ...marked(cache),
  })
  if (source.kind === 'url' || /^application\/pdf\b/i.test(source.mediaType)) return document(writeSource(source))
  if (/^image\//i.test(source.mediaType)) return { type: 'image', source: writeSource(source), ...marked(cache) }
  if (!textTypes.test(source.mediaType)) return undefined
  const data = Buffer.from(source.base64, 'base64').toString('utf8')
  return document({ type: 'text', media_type: 'text/plain', data })
}

function writeToolCall({ id, name, argumentsJson, cache }: ToolCallPart): JsonObject {
  return { type: 'tool_use', id: writeId(id), name, input: inputOf(argumentsJson), ...marked(cache) }
}

/** Input must be an object. Other model output is wrapped in one, so that the model sees its mistake. */
function inputOf(argumentsJson: string): JsonObject {
  if (argumentsJson.trim() === '') return {}
  return parseJsonObject(argumentsJson) ?? { arguments: argumentsJson }
}

function writeToolResult({ callId, content, isError, cache }: ToolResultPart, ignored: Set<string>): JsonObject {
  const blocks = content.flatMap((part) => writeBlock(part, 'user', ignored))
  return {
    type: 'tool_result',
    tool_use_id: writeId(callId),
    ...(blocks.length === 0 ? {} : { content: blocks }),
    ...(isError === undefined ? {} : { is_error: isError }),
    ...marked(cache),
  }
}

/** Ids of other vendors may have characters that are rejected here. The same id always gets the same replacement. */
function writeId(id: string): string {
  return id.replace(/[^\w-]/g, '_')
}
