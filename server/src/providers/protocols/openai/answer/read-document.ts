import { finishReasons } from '#domain/inference/finish-reason.ts'
import type { Part, ReasoningPart } from '#domain/inference/parts.ts'
import type { CanonicalChoice } from '#domain/inference/reply.ts'
import { isJsonObject, type JsonObject, objectAt, parseJsonObject, stringAt } from '#lib/json.ts'
import { ignoreUnknown, type NoteUnknown } from '#providers/note-unknown.ts'
import type { DocumentRead } from '#providers/protocol.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'
import { upstreamFailure } from '#providers/upstream-failure.ts'
import { chunkFailure } from '../failure/chunk-failure.ts'
import { callSignature, finishDetail, unplacedMembers } from './chunk-parts.ts'
import { noteChunk } from './known-words.ts'
import { readUsage } from './read-usage.ts'
import { reasoningFormatOf } from '../reasoning-formats.ts'
import { tidyCompletion } from './tidy-completion.ts'

/** A whole chat completion. */
export function readChatDocument(bytes: Buffer, quirks: OpenAiQuirks, note: NoteUnknown = ignoreUnknown): DocumentRead {
  const completion = parseJsonObject(bytes.toString('utf8').replace(/^\uFEFF/, ''))
  if (completion === undefined) return failed('The upstream response is not valid JSON.')
  const failure = chunkFailure(completion, quirks)
  if (failure !== undefined) return { ok: false, failure }
  const usage = readUsage(completion, quirks) ?? null
  noteChunk(completion, quirks, note)
  tidyCompletion(completion, quirks)
  const choices = Array.isArray(completion.choices) ? completion.choices.filter(isJsonObject) : []
  if (choices.length === 0) return failed('The upstream returned a response without content.')
  return { ok: true, reply: { choices: choices.map(choiceOf), usage } }
}

function failed(message: string): DocumentRead {
  return { ok: false, failure: upstreamFailure(message) }
}

function choiceOf(choice: JsonObject): CanonicalChoice {
  const reason = finishReasons.find((known) => known === choice.finish_reason) ?? null
  const { native, ...detail } = finishDetail(choice, reason)
  return { parts: partsOf(objectAt(choice, 'message')), finishReason: reason, nativeFinishReason: native, ...detail }
}

function partsOf(message: JsonObject): Part[] {
  const refusal = stringAt(message, 'refusal') ?? ''
  const content = stringAt(message, 'content')
  const others = unplacedMembers(message)
  return [
    ...reasoningOf(message),
    ...(content === undefined ? [] : [{ kind: 'text', text: content } as const]),
    ...(refusal === '' ? [] : [{ kind: 'refusal', text: refusal } as const]),
    ...listAt(message, 'images').map(imageOf),
    ...listAt(message, 'tool_calls').map(callOf),
    ...(others === undefined ? [] : [opaque(others)]),
  ]
}

function listAt(message: JsonObject, name: string): JsonObject[] {
  const list = message[name]
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

function opaque(value: JsonObject): Part {
  return { kind: 'opaque', protocol: 'openai', value }
}

function reasoningOf(message: JsonObject): Part[] {
  const parts = listAt(message, 'reasoning_details').map(detailOf)
  const text = stringAt(message, 'reasoning') ?? ''
  if (text === '' || parts.some((part) => part.kind === 'reasoning' && part.text !== '')) return parts
  return [{ kind: 'reasoning', text, format: 'unknown' }, ...parts]
}

function detailOf(detail: JsonObject): Part {
  const id = stringAt(detail, 'id')
  const signature = stringAt(detail, 'signature') ?? ''
  const shared: Pick<ReasoningPart, 'kind' | 'format' | 'id'> = {
    kind: 'reasoning',
    format: reasoningFormatOf(detail.format),
    ...(id === undefined ? {} : { id }),
  }
  switch (detail.type) {
    case 'reasoning.text':
      return { ...shared, text: stringAt(detail, 'text') ?? '', ...(signature === '' ? {} : { signature }) }
    case 'reasoning.summary':
      return { ...shared, text: stringAt(detail, 'summary') ?? '', isSummary: true }
    case 'reasoning.encrypted':
      return { ...shared, text: '', encrypted: stringAt(detail, 'data') ?? '' }
    default:
      return opaque({ reasoning_details: [detail] })
  }
}

function imageOf(image: JsonObject): Part {
  const url = stringAt(objectAt(image, 'image_url'), 'url') ?? ''
  const [, mediaType, base64] = /^data:([^,]*?);base64,(.*)$/s.exec(url) ?? []
  if (mediaType === undefined || base64 === undefined) return { kind: 'image', source: { kind: 'url', url } }
  return { kind: 'image', source: { kind: 'data', mediaType, base64 } }
}

function callOf(call: JsonObject): Part {
  if (!isJsonObject(call.function)) return opaque({ tool_calls: [call] })
  const signature = callSignature(call)
  return {
    kind: 'tool-call',
    id: stringAt(call, 'id') ?? '',
    name: stringAt(call.function, 'name') ?? '',
    argumentsJson: stringAt(call.function, 'arguments') ?? '',
    ...(signature === undefined ? {} : { signature }),
  }
}
