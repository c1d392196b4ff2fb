import type { OpaquePart, ReasoningPart } from '#domain/inference/parts.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { sealOpaque, sealReasoning } from './sealed-thought.ts'

/** Reasoning of another vendor than Anthropic; null if there is nothing to show and nothing to return. */
export function sealedThinking(part: ReasoningPart): JsonObject | null {
  const { text, signature, encrypted } = part
  if (text === '' && signature === undefined) {
    return encrypted === undefined ? null : { type: 'redacted_thinking', data: sealReasoning(part) }
  }
  return { type: 'thinking', thinking: text, signature: sealReasoning(part) }
}

/** Anthropic's own blocks unchanged; blocks of other vendors as encrypted reasoning, which clients send back. */
export function opaqueBlock(part: OpaquePart): JsonObject {
  if (part.protocol === 'anthropic' && isJsonObject(part.value)) return part.value
  return { type: 'redacted_thinking', data: sealOpaque(part) }
}
