import { hasCacheMark } from '#domain/inference/cache-marks.ts'
import type { CanonicalCall } from '#domain/inference/call.ts'
import { isForGateway } from '#domain/inference/gateway-fields.ts'
import { isReasoningField } from '#domain/inference/reasoning-wish.ts'
import { isKnownExtra } from './known-extras.ts'

/** Requested options that Gemini does not support, by the names that clients use. */
export function ignoredFields(call: CanonicalCall): string[] {
  const { sampling } = call
  const wishes = {
    min_p: sampling.minP,
    top_a: sampling.topA,
    repetition_penalty: sampling.repetitionPenalty,
    // Gemini makes parallel calls by default. Only turning them off is impossible.
    parallel_tool_calls: call.parallelToolCalls === false ? false : undefined,
    user: call.endUser ?? undefined,
    // Gemini caches automatically.
    cache_control: hasCacheMark(call) ? true : undefined,
  }
  const isHeard = (field: string): boolean => call.reasoning !== null && isReasoningField(field)
  const unknown = Object.keys(call.extras).filter(
    (field) => !isKnownExtra(field) && !isForGateway(field) && !isHeard(field),
  )
  const unsaid = Object.entries(wishes).filter(([, value]) => value !== undefined)
  return [...new Set([...unsaid.map(([field]) => field), ...unknown])]
}
