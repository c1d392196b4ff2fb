import type { Part } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { ignoreUnknown, type NoteUnknown } from '#providers/note-unknown.ts'
import type { DocumentRead } from '#providers/protocol.ts'
import { upstreamFailure } from '#providers/upstream-failure.ts'
import { readFinish } from './finish-reason.ts'
import { noteConverse } from './known-words.ts'
import { readExceptionFrame } from './read-failure.ts'
import { readUsage } from './read-usage.ts'

export function readDocument(bytes: Buffer, note: NoteUnknown = ignoreUnknown): DocumentRead {
  const text = bytes.toString('utf8')
  const document = parseJsonObject(text)
  if (document === undefined) return { ok: false, failure: upstreamFailure('The upstream response is not valid JSON.') }
  const { message } = objectAt(document, 'output')
  if (!isJsonObject(message)) {
    return { ok: false, failure: readExceptionFrame(stringAt(document, '__type') ?? '', text) }
  }
  noteConverse(document, note)
  const content = Array.isArray(message.content) ? message.content.filter(isJsonObject) : []
  const { reason, native, stopSequence } = readFinish(document)
  const choice = {
    parts: content.flatMap(readBlock),
    finishReason: native === null ? null : reason,
    nativeFinishReason: native,
    ...(stopSequence === undefined ? {} : { stopSequence }),
  }
  return { ok: true, reply: { choices: [choice], usage: readUsage(document) ?? null } }
}

function readBlock(block: JsonObject): Part[] {
  const { text, toolUse, reasoningContent, citationsContent, image } = block
  if (typeof text === 'string') return text === '' ? [] : [{ kind: 'text', text }]
  if (isJsonObject(toolUse) && toolUse.type !== 'server_tool_use') return [readToolUse(toolUse)]
  if (isJsonObject(reasoningContent)) return readThinking(reasoningContent)
  if (isJsonObject(citationsContent)) return readCited(citationsContent)
  if (isJsonObject(image)) return [readImage(image)]
  return [{ kind: 'opaque', protocol: 'bedrock', value: block }]
}

function readToolUse(toolUse: JsonObject): Part {
  const { input = {} } = toolUse
  return {
    kind: 'tool-call',
    id: stringAt(toolUse, 'toolUseId') ?? '',
    name: stringAt(toolUse, 'name') ?? '',
    argumentsJson: typeof input === 'string' ? input || '{}' : JSON.stringify(input),
  }
}

function readThinking(content: JsonObject): Part[] {
  const encrypted = stringAt(content, 'redactedContent')
  if (encrypted !== undefined) return [{ kind: 'reasoning', text: '', encrypted, format: 'anthropic' }]
  const readable = objectAt(content, 'reasoningText')
  const signature = stringAt(readable, 'signature')
  return [
    {
      kind: 'reasoning',
      text: stringAt(readable, 'text') ?? '',
      ...(signature === undefined ? {} : { signature }),
      format: 'anthropic',
    },
  ]
}

/** Text with its sources. The canonical output has no field for sources, so only the text is kept. */
function readCited(cited: JsonObject): Part[] {
  const content = Array.isArray(cited.content) ? cited.content.filter(isJsonObject) : []
  const text = content.map((piece) => stringAt(piece, 'text') ?? '').join('')
  return text === '' ? [] : [{ kind: 'text', text }]
}

function readImage(image: JsonObject): Part {
  const mediaType = `image/${stringAt(image, 'format') ?? 'png'}`
  return {
    kind: 'image',
    source: { kind: 'data', mediaType, base64: stringAt(objectAt(image, 'source'), 'bytes') ?? '' },
  }
}
