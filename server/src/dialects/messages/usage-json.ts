import { completionTokensOf, noUsage, type Usage } from '#domain/inference/usage.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { costDetails } from '../cost-details.ts'
import type { Charged } from '../dialect.ts'

/** The usage object of Messages responses: cached input is counted beside the rest of the input, never inside it. */
export function messagesUsage(usage: Usage): JsonObject {
  const { cacheWrite5m, cacheWrite1h, reasoningOutput } = usage
  const cacheWrite = cacheWrite5m + cacheWrite1h
  const { webSearches = 0 } = usage.media ?? {}
  return {
    input_tokens: usage.uncachedInput + usage.audioInput,
    output_tokens: completionTokensOf(usage),
    cache_read_input_tokens: usage.cacheRead,
    cache_creation_input_tokens: cacheWrite,
    ...(cacheWrite > 0
      ? { cache_creation: { ephemeral_5m_input_tokens: cacheWrite5m, ephemeral_1h_input_tokens: cacheWrite1h } }
      : {}),
    ...(reasoningOutput > 0 ? { output_tokens_details: { thinking_tokens: reasoningOutput } } : {}),
    ...(webSearches > 0 ? { server_tool_use: { web_search_requests: webSearches, web_fetch_requests: 0 } } : {}),
  }
}

/** Usage with the cost. Clients require the object, so a response without a usage record shows zeros and no cost. */
export function chargedUsage(charged: Charged | null): JsonObject {
  if (charged === null) return messagesUsage(noUsage)
  return { ...messagesUsage(charged.usage), weir_cost: usdJson(charged.cost), ...costDetails(charged.upstreamCost) }
}
