import type { CanonicalCall } from '#domain/inference/call.ts'
import { isJsonObject, type JsonObject } from '#lib/json.ts'
import { isReplayable } from './write-block.ts'

const bindingBeta = 'thinking-binding-controls-2026-08-01'

/**
 * A body that tells the model to drop reasoning that no longer matches the conversation, instead of rejecting the
 * request: after translation, the conversation is no longer byte for byte the one that the reasoning came from. Null if
 * the request has no reasoning, or must not have any.
 */
export function droppingStrayThoughts(
  body: JsonObject,
  { turns }: Pick<CanonicalCall, 'turns'>,
): { body: JsonObject; betas: readonly string[] } | null {
  if (!turns.some(({ parts }) => parts.some(isReplayable))) return null
  // These models use adaptive thinking by default.
  const thinking = isJsonObject(body.thinking) ? body.thinking : { type: 'adaptive' }
  if (thinking.type !== 'adaptive') return null
  const binding = { prefix_mismatch_behavior: 'drop_block' }
  return { body: { ...body, thinking: { ...thinking, block_binding: binding } }, betas: [bindingBeta] }
}
