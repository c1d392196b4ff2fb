import type { MediaSource, OpaquePart } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { sealOpaque } from './sealed-reasoning.ts'

/** Where an item stands in the output, from its first event to its last. */
export interface ItemPlace {
  readonly id: string
  readonly outputIndex: number
  /** Keeps the item as it is when it is done. */
  finish(item: JsonObject): void
}

export type ItemStatus = 'in_progress' | 'completed' | 'incomplete'

/** The result is base64 in this dialect; of an image that we host it is the address, which begins as no base64 does. */
export function imageItem(id: string, source: MediaSource): JsonObject {
  const head = { id, type: 'image_generation_call', status: 'completed' }
  if (source.kind === 'url') return { ...head, result: source.url }
  const { mediaType, base64 } = source
  const format = mediaType.startsWith('image/') ? mediaType.slice('image/'.length) : 'png'
  return { ...head, result: base64, output_format: format }
}

/** What has no place in this dialect travels as reasoning, the one kind of item that clients return unread. */
export function opaqueItem(id: string, part: OpaquePart): JsonObject {
  if (part.protocol === 'responses' && isJsonObject(part.value)) return { id, ...part.value }
  return { id, type: 'reasoning', summary: [], encrypted_content: sealOpaque(part) }
}
