import { serviceTierIn, withServiceTier } from '#domain/inference/service-tier.ts'
import { addClasses, disjointUsage, type Usage, type UsageClasses, withSearches } from '#domain/inference/usage.ts'
import { countAt, type JsonObject, objectAt, objectsIn } from '#lib/json.ts'

/**
 * The usage of a message, or undefined if it has none. Zero counts are valid usage. The speed `fast` has a tier's
 * price; Anthropic's tier `priority` has none, because it is capacity that the operator has bought.
 */
export function readMessageUsage(usage: JsonObject): Usage | undefined {
  const beside = objectsIn(usage.iterations).filter(({ type }) => countedBeside.has(type))
  const isCounted = countAt(usage, 'input_tokens') !== undefined || countAt(usage, 'output_tokens') !== undefined
  if (!isCounted && beside.length === 0) return undefined
  const classes = beside.map(classesOf).reduce(addClasses, classesOf(usage))
  const searches = { webSearches: countAt(objectAt(usage, 'server_tool_use'), 'web_search_requests') }
  return withServiceTier(withSearches(classes, searches), serviceTierIn(usage.speed))
}

/**
 * Iterations whose tokens are not part of the top-level usage: compactions, and advisors, which are other models. The
 * gateway never requests them, but charges for them if Anthropic bills for them.
 */
const countedBeside: ReadonlySet<unknown> = new Set(['compaction', 'advisor_message'])

/** The counts of a whole message, or of one of its iterations. */
function classesOf(counts: JsonObject): UsageClasses {
  return disjointUsage(
    {
      prompt: countAt(counts, 'input_tokens') ?? 0,
      completion: countAt(counts, 'output_tokens') ?? 0,
      cacheRead: countAt(counts, 'cache_read_input_tokens') ?? 0,
      ...cacheWritesOf(counts),
      reasoning: countAt(objectAt(counts, 'output_tokens_details'), 'thinking_tokens') ?? 0,
    },
    { promptIncludesCache: false, completionIncludesReasoning: true },
  )
}

/** Later reports are cumulative: their values replace the earlier ones, and missing values stay. */
export function mergeUsage(earlier: JsonObject, later: JsonObject): JsonObject {
  const merged = { ...earlier }
  for (const [key, value] of Object.entries(later)) if (value !== null && value !== undefined) merged[key] = value
  return merged
}

/** The total is updated more often than its split by lifetime, so the difference counts as the usual lifetime. */
function cacheWritesOf(usage: JsonObject): { cacheWrite5m: number; cacheWrite1h: number } {
  const division = objectAt(usage, 'cache_creation')
  const short = countAt(division, 'ephemeral_5m_input_tokens') ?? 0
  const long = countAt(division, 'ephemeral_1h_input_tokens') ?? 0
  const sum = countAt(usage, 'cache_creation_input_tokens') ?? short + long
  const cacheWrite1h = Math.min(long, sum)
  return { cacheWrite5m: sum - cacheWrite1h, cacheWrite1h }
}
