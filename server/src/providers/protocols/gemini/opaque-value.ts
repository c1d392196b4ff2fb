import type { OpaquePart } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'

/** A part that only Gemini knows, as it was sent; nothing where it is another vendor's. */
export function opaqueValue({ protocol, value }: OpaquePart): JsonObject[] {
  return protocol === 'gemini' && isJsonObject(value) ? [value] : []
}
