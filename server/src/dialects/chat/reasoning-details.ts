import type { ReasoningFormat, ReasoningPart } from '#domain/inference/parts.ts'
import { countAt, isJsonObject, type JsonObject, type JsonValue, stringAt } from '#lib/json.ts'

/** The format names of reasoning that clients know and send back. */
export const formatNames = {
  anthropic: 'anthropic-claude-v1',
  google: 'google-gemini-v1',
  openai: 'openai-responses-v1',
  grok: 'xai-responses-v1',
  unknown: 'unknown',
} as const satisfies Record<ReasoningFormat, string>

/**
 * The reasoning of a message that a client sends back. Some clients keep every delta as a separate detail, so pieces of
 * one block are joined: its signature is valid for the whole text only.
 */
export function placedThoughts(details: readonly JsonValue[]): PlacedThought[] {
  const parts: ReasoningPart[] = []
  const offsets: number[] = []
  let before: JsonObject = {}
  for (const detail of details) {
    if (!isJsonObject(detail)) continue
    const part = partOf(detail)
    const last = parts.at(-1)
    if (part === undefined) continue
    if (last !== undefined && isContinued(before, detail, last)) parts[parts.length - 1] = joined(last, part)
    else {
      parts.push(part)
      offsets.push(countAt(detail, offsetName) ?? 0)
    }
    before = detail
  }
  return parts.map((part, index) => ({ part, offset: offsets[index] ?? 0 }))
}

/** A reasoning part, and the length of the message's text before it. */
export interface PlacedThought {
  readonly part: ReasoningPart
  readonly offset: number
}

const offsetName = 'content_offset'

/**
 * The position of reasoning in the text of its message, which clients return unchanged. Newer Claude models reject
 * reasoning in a different order. Reasoning before all text, the usual case, gets no position.
 */
export function contentOffset(characters: number): JsonObject {
  return characters === 0 ? {} : { [offsetName]: characters }
}

/**
 * A part in the format that clients expect. Readable and encrypted reasoning of one block are two details with one id.
 */
export function detailsOf(part: ReasoningPart, firstIndex: number, offset = 0): JsonObject[] {
  const format = formatNames[part.format]
  const place = { ...(part.id === undefined ? {} : { id: part.id }), ...contentOffset(offset) }
  const details: JsonObject[] = []
  if (part.isSummary) {
    details.push({ type: 'reasoning.summary', summary: part.text, ...place, index: firstIndex, format })
  } else if (part.text !== '' || part.signature !== undefined) {
    const signature = part.signature === undefined ? {} : { signature: part.signature }
    details.push({ type: 'reasoning.text', text: part.text, ...signature, ...place, index: firstIndex, format })
  }
  if (part.encrypted !== undefined) {
    details.push({
      type: 'reasoning.encrypted',
      data: part.encrypted,
      ...place,
      index: firstIndex + details.length,
      format,
    })
  }
  return details
}

function partOf(detail: JsonObject): ReasoningPart | undefined {
  const id = stringAt(detail, 'id')
  const signature = stringAt(detail, 'signature')
  const shared = { kind: 'reasoning', format: formatOf(detail.format), ...(id === undefined ? {} : { id }) } as const
  switch (detail.type) {
    case 'reasoning.text':
      return { ...shared, text: stringAt(detail, 'text') ?? '', ...(signature === undefined ? {} : { signature }) }
    case 'reasoning.summary':
      return { ...shared, text: stringAt(detail, 'summary') ?? '', isSummary: true }
    case 'reasoning.encrypted':
      return { ...shared, text: '', encrypted: stringAt(detail, 'data') ?? '' }
    default:
      return undefined
  }
}

const formats: ReadonlyMap<JsonValue | undefined, ReasoningFormat> = new Map([
  [formatNames.anthropic, 'anthropic'],
  [formatNames.google, 'google'],
  [formatNames.openai, 'openai'],
  [formatNames.grok, 'grok'],
])

function formatOf(name: JsonValue | undefined): ReasoningFormat {
  return formats.get(name) ?? 'unknown'
}

function isContinued(before: JsonObject, detail: JsonObject, last: ReasoningPart): boolean {
  if (before.type !== detail.type || detail.type === 'reasoning.encrypted' || last.signature !== undefined) return false
  return before.index !== undefined && before.index === detail.index
}

function joined(last: ReasoningPart, piece: ReasoningPart): ReasoningPart {
  return { ...last, ...piece, text: last.text + piece.text }
}
