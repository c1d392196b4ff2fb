import type { MediaSource, OpaquePart } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { sealOpaque } from './sealed-reasoning.ts'

/** The position of an item in the output, from its first event to its last. */
export interface ItemPlace {
  readonly id: string
  readonly outputIndex: number
  /** Stores the completed item. */
  finish(item: JsonObject): void
}

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

/**
 * The result is base64 in this dialect. For an image that we host it is the URL, which cannot be confused with base64.
 */
export function imageItem(id: string, source: MediaSource): JsonObject {
  const head = { id, type: 'image_generation_call', status: 'completed' }
  if (source.kind === 'url') return { ...head, result: source.url }
  const { mediaType, base64 } = source
  const format = mediaType.startsWith('image/') ? mediaType.slice('image/'.length) : 'png'
  return { ...head, result: base64, output_format: format }
}

/** A part that this dialect cannot express is sent as reasoning, the only item type that clients return unread. */
export function opaqueItem(id: string, part: OpaquePart): JsonObject {
  if (part.protocol === 'responses' && isJsonObject(part.value)) return { id, ...part.value }
  return { id, type: 'reasoning', summary: [], encrypted_content: sealOpaque(part) }
}
