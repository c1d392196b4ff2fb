import { countAt, type JsonObject, objectAt } from '#lib/json.ts'
import type { ExtraCounts } from '#providers/spec.ts'

/** DeepSeek's field for cached tokens, also used by upstreams that serve its models. */
export function cacheHitTokens(usage: JsonObject): ExtraCounts {
  return { cacheRead: countAt(usage, 'prompt_cache_hit_tokens') }
}

/** Cached tokens next to the totals instead of in the details. */
export function topLevelCachedTokens(usage: JsonObject): ExtraCounts {
  return { cacheRead: countAt(usage, 'cached_tokens') }
}

/** Mistral's fields for cached tokens, besides the usual one: newer responses have the first, some the second. */
export function mistralCachedTokens(usage: JsonObject): ExtraCounts {
  return {
    cacheRead: countAt(usage, 'num_cached_tokens') ?? countAt(objectAt(usage, 'prompt_token_details'), 'cached_tokens'),
  }
}

/** xAI states costs in ticks; ten billion ticks are one dollar. */
export function costInTicks(usage: JsonObject): number | undefined {
  const ticks = countAt(usage, 'cost_in_usd_ticks')
  return ticks === undefined ? undefined : Math.ceil(ticks / ticksPerNano)
}

const ticksPerNano = 10

/** Tokens written to an explicit cache, under Anthropic's name. */
export function cacheCreationTokens(usage: JsonObject): ExtraCounts {
  return { cacheWrite5m: countAt(objectAt(usage, 'prompt_tokens_details'), 'cache_creation_input_tokens') }
}
