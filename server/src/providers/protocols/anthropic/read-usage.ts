import { serviceTierIn, withServiceTier } from '#domain/inference/service-tier.ts'
import { disjointUsage, type Usage, withSearches } from '#domain/inference/usage.ts'
import { countAt, type JsonObject, objectAt } from '#lib/json.ts'

/**
 * The usage of a message, or undefined where it has none. Zero counts are a report like any other. The speed `fast` has the price of a
 * tier; the tier `priority` of Anthropic has none, because it is capacity that the operator has bought.
 */
export function readMessageUsage(usage: JsonObject): Usage | undefined {
  const prompt = countAt(usage, 'input_tokens')
  const completion = countAt(usage, 'output_tokens')
  if (prompt === undefined && completion === undefined) return undefined
  const reasoning = countAt(objectAt(usage, 'output_tokens_details'), 'thinking_tokens')
  const classes = disjointUsage(
    {
      prompt: prompt ?? 0,
      completion: completion ?? 0,
      cacheRead: countAt(usage, 'cache_read_input_tokens') ?? 0,
      ...cacheWritesOf(usage),
      reasoning: reasoning ?? 0,
    },
    { promptIncludesCache: false, completionIncludesReasoning: true },
  )
  const searches = { webSearches: countAt(objectAt(usage, 'server_tool_use'), 'web_search_requests') }
  return withServiceTier(withSearches(classes, searches), serviceTierIn(usage.speed))
}

/** Later reports are cumulative: what they hold replaces what was there, what they leave out stays. */
export function mergeUsage(earlier: JsonObject, later: JsonObject): JsonObject {
  const merged = { ...earlier }
  for (const [key, value] of Object.entries(later)) if (value !== null && value !== undefined) merged[key] = value
  return merged
}

/** The sum is renewed more often than its division by lifetime, so what the division lacks counts as the usual one. */
function cacheWritesOf(usage: JsonObject): { cacheWrite5m: number; cacheWrite1h: number } {
  const division = objectAt(usage, 'cache_creation')
  const short = countAt(division, 'ephemeral_5m_input_tokens') ?? 0
  const long = countAt(division, 'ephemeral_1h_input_tokens') ?? 0
  const sum = countAt(usage, 'cache_creation_input_tokens') ?? short + long
  const cacheWrite1h = Math.min(long, sum)
  return { cacheWrite5m: sum - cacheWrite1h, cacheWrite1h }
}
