import type { StreamPart } from '#domain/inference/stream-part.ts'
import { finishReasons, nativeReason } from '#domain/inference/finish-reason.ts'
import { countAt, isJsonObject, type JsonObject, type JsonValue, objectAt, stringAt } from '#lib/json.ts'
import { reasoningFormatOf } from '../reasoning-formats.ts'

/** The parts of one choice of a normalized chunk. */
export function chunkParts(choice: JsonObject): StreamPart[] {
  const index = countAt(choice, 'index') ?? 0
  const delta = objectAt(choice, 'delta')
  const content = stringAt(delta, 'content') ?? ''
  const refusal = stringAt(delta, 'refusal') ?? ''
  return [
    ...reasoningParts(delta, index),
    ...(content === '' ? [] : [{ kind: 'text-added', choice: index, text: content } as const]),
    ...(refusal === '' ? [] : [{ kind: 'refusal-added', choice: index, text: refusal } as const]),
    ...listAt(delta, 'images').map((image) => imagePart(image, index)),
    ...listAt(delta, 'tool_calls').map((call) => toolPart(call, index)),
    ...otherMembers(delta, index),
    ...finishParts(choice, index),
  ]
}

function listAt(delta: JsonObject, name: string): JsonObject[] {
  const list = delta[name]
  return Array.isArray(list) ? list.filter(isJsonObject) : []
}

/** Details contain more than the plain text in the same delta, so the text is read only if there are no details. */
function reasoningParts(delta: JsonObject, choice: number): StreamPart[] {
  const parts = listAt(delta, 'reasoning_details').flatMap((detail) => detailParts(detail, choice))
  const text = stringAt(delta, 'reasoning') ?? ''
  if (text === '' || parts.some(({ kind }) => kind === 'reasoning-added')) return parts
  return [{ kind: 'reasoning-added', choice, text, format: 'unknown' }, ...parts]
}

function detailParts(detail: JsonObject, choice: number): StreamPart[] {
  const format = reasoningFormatOf(detail.format)
  const known = stringAt(detail, 'id')
  const id = known === undefined ? {} : { id: known }
  const text = stringAt(detail, detail.type === 'reasoning.summary' ? 'summary' : 'text') ?? ''
  const signature = stringAt(detail, 'signature') ?? ''
  switch (detail.type) {
    case 'reasoning.summary':
      return [{ kind: 'reasoning-added', choice, text, isSummary: true, format, ...id }]
    case 'reasoning.text':
      return [
        ...(text === '' ? [] : [{ kind: 'reasoning-added', choice, text, format, ...id } as const]),
        ...(signature === '' ? [] : [{ kind: 'reasoning-signed', choice, signature, format } as const]),
      ]
    case 'reasoning.encrypted':
      return [{ kind: 'reasoning-encrypted', choice, data: stringAt(detail, 'data') ?? '', format, ...id }]
    default:
      return [opaque({ reasoning_details: [detail] }, choice)]
  }
}

function imagePart(image: JsonObject, choice: number): StreamPart {
  const url = stringAt(objectAt(image, 'image_url'), 'url') ?? ''
  if (url === '') return opaque({ images: [image] }, choice)
  const comma = url.indexOf(';base64,')
  if (!url.startsWith('data:') || comma === -1) return { kind: 'image-added', choice, source: { kind: 'url', url } }
  const mediaType = url.slice('data:'.length, comma)
  const base64 = url.slice(comma + ';base64,'.length)
  return { kind: 'image-added', choice, source: { kind: 'data', mediaType, base64 } }
}

/** Normalized deltas start a call with its identity and continue it with arguments only. */
function toolPart(call: JsonObject, choice: number): StreamPart {
  if (!isJsonObject(call.function)) return opaque({ tool_calls: [call] }, choice)
  const index = countAt(call, 'index') ?? 0
  const name = stringAt(call.function, 'name')
  if (name === undefined)
    return { kind: 'tool-call-added', choice, index, json: stringAt(call.function, 'arguments') ?? '' }
  const signature = callSignature(call)
  return {
    kind: 'tool-call-started',
    choice,
    index,
    id: stringAt(call, 'id') ?? '',
    name,
    ...(signature === undefined ? {} : { signature }),
  }
}

/** Google puts the signature of the thought that led to a call here. */
export function callSignature(call: JsonObject): string | undefined {
  return stringAt(objectAt(objectAt(call, 'extra_content'), 'google'), 'thought_signature')
}

const placed = new Set(['role', 'content', 'refusal', 'reasoning', 'reasoning_details', 'images', 'tool_calls'])

/** Members of a delta or a message without a canonical place, unless they are empty. */
export function unplacedMembers(said: JsonObject): JsonObject | undefined {
  const entries = Object.entries(said).filter(([name, value]) => !placed.has(name) && !isEmpty(value))
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)
}

function otherMembers(delta: JsonObject, choice: number): StreamPart[] {
  const members = unplacedMembers(delta)
  return members === undefined ? [] : [opaque(members, choice)]
}

function opaque(value: JsonObject, choice: number): StreamPart {
  return { kind: 'opaque-added', choice, part: { kind: 'opaque', protocol: 'openai', value } }
}

function finishParts(choice: JsonObject, index: number): StreamPart[] {
  const reason = finishReasons.find((known) => known === choice.finish_reason)
  if (reason === undefined) return []
  return [{ kind: 'finished', choice: index, reason, ...finishDetail(choice, reason) }]
}

/** The upstream's own finish reason, and the string that ended the output, which vLLM reports. */
export function finishDetail(
  choice: JsonObject,
  reason: string | null,
): { native: string | null; stopSequence?: string } {
  const stopSequence = stringAt(choice, 'stop_reason')
  const native = stringAt(choice, 'native_finish_reason')
  return {
    native: native === undefined ? reason : nativeReason(native),
    ...(stopSequence === undefined ? {} : { stopSequence }),
  }
}
