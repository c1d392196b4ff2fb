import type { CanonicalCall } from '#domain/inference/call.ts'
import { isForGateway } from '#domain/inference/gateway-fields.ts'
import { isKnownExtra } from './known-extras.ts'

/** What the caller asked for and Gemini has no word for, by the names that callers use. */
export function ignoredFields(call: CanonicalCall): string[] {
  const { sampling } = call
  const wishes = {
    min_p: sampling.minP,
    top_a: sampling.topA,
    repetition_penalty: sampling.repetitionPenalty,
    // Several calls at once are what Gemini does by itself; only their refusal can not be told.
    parallel_tool_calls: call.parallelToolCalls === false ? false : undefined,
    user: call.endUser ?? undefined,
  }
  const unknown = Object.keys(call.extras).filter((field) => !isKnownExtra(field) && !isForGateway(field))
  const unsaid = Object.entries(wishes).filter(([, value]) => value !== undefined)
  return [...new Set([...unsaid.map(([field]) => field), ...unknown])]
}
