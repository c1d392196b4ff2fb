import { serviceTierIn, withServiceTier } from '#domain/inference/service-tier.ts'
import {
  type CountingHabits,
  disjointUsage,
  type ReportedUsage,
  type Usage,
  withSearches,
} from '#domain/inference/usage.ts'
import { countAt, isJsonObject, type JsonObject, objectAt } from '#lib/json.ts'
import type { OpenAiQuirks } from '#providers/spec.ts'

/**
 * The usage in a chunk or completion, in any of the places where upstreams put it. Undefined means that there is none;
 * zero counts are valid usage. Usage is cumulative, so a reader keeps the last one.
 */
export function readUsage(chunk: JsonObject, quirks: OpenAiQuirks): Usage | undefined {
  const usage = isJsonObject(chunk.usage) ? chunk.usage : quirks.findUsage?.(chunk)
  if (usage === undefined) return undefined
  const prompt = countAt(usage, 'prompt_tokens')
  const completion = countAt(usage, 'completion_tokens')
  if (prompt === undefined && completion === undefined) return undefined
  const extra = quirks.extraCounts?.(usage, chunk) ?? {}
  const promptDetails = objectAt(usage, 'prompt_tokens_details')
  const completionDetails = objectAt(usage, 'completion_tokens_details')
  const reported: Required<ReportedUsage> = {
    prompt: prompt ?? 0,
    completion: completion ?? 0,
    cacheRead: extra.cacheRead ?? countAt(promptDetails, 'cached_tokens') ?? 0,
    ...cacheWritesIn(promptDetails, extra.cacheWrite5m),
    audioInput: countAt(promptDetails, 'audio_tokens') ?? 0,
    reasoning: extra.reasoning ?? countAt(completionDetails, 'reasoning_tokens') ?? 0,
    imageOutput: countAt(completionDetails, 'image_tokens') ?? 0,
    audioOutput: countAt(completionDetails, 'audio_tokens') ?? 0,
  }
  const isReasoningStandard = extra.reasoning === undefined
  const total = isReasoningStandard ? countAt(usage, 'total_tokens') : undefined
  const counted = withSearches(disjointUsage(reported, habitsProvenBy(total, reported, quirks.counting)), {
    webSearches: extra.webSearches ?? countAt(objectAt(usage, 'server_tool_use'), 'web_search_requests'),
    citationTokens: extra.citationTokens,
    contextSize: extra.searchContextSize,
  })
  const { upstreamNano } = extra
  const usual = withServiceTier(counted, serviceTierIn(chunk.service_tier))
  return upstreamNano === undefined ? usual : { ...usual, upstreamNano }
}

/** Cache writes by lifetime: OpenAI has half an hour and twelve hours, which counts as the long-lived kind. */
export function cacheWritesIn(details: JsonObject, stated?: number): { cacheWrite5m: number; cacheWrite1h: number } {
  const sum = stated ?? countAt(details, 'cache_write_tokens') ?? 0
  const long = countAt(objectAt(details, 'cache_write_tokens_details'), 'ttl_12h_tokens') ?? 0
  const cacheWrite1h = Math.min(long, sum)
  return { cacheWrite5m: sum - cacheWrite1h, cacheWrite1h }
}

/**
 * The total shows whether the completion includes the reasoning. That is more reliable than a fixed rule: several
 * upstreams sell the same model, and upstreams change.
 */
function habitsProvenBy(
  total: number | undefined,
  { prompt, completion, reasoning }: Required<ReportedUsage>,
  habits: CountingHabits,
): CountingHabits {
  if (total === undefined || reasoning === 0) return habits
  if (total === prompt + completion + reasoning) return { ...habits, completionIncludesReasoning: false }
  if (total === prompt + completion && reasoning <= completion) return { ...habits, completionIncludesReasoning: true }
  return habits
}
