import { completionTokensOf, promptTokensOf, type Usage } from '#domain/inference/usage.ts'
import { type NanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { costDetails } from '../cost-details.ts'

/**
 * The usage object of chat responses. Two details are always present, because clients require them; the others only
 * when known.
 */
export function chatUsage(usage: Usage, cost: NanoUsd, upstreamCost?: NanoUsd | null): JsonObject {
  const prompt = promptTokensOf(usage)
  const completion = completionTokensOf(usage)
  const imageTokens = usage.media?.inputImageTokens ?? 0
  const cacheWrite = usage.cacheWrite5m + usage.cacheWrite1h
  const { webSearches = 0, citationTokens = 0 } = usage.media ?? {}
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    cost: usdJson(cost),
    ...costDetails(upstreamCost),
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      ...(cacheWrite > 0 ? { cache_write_tokens: cacheWrite } : {}),
      ...(usage.audioInput > 0 ? { audio_tokens: usage.audioInput } : {}),
      ...(imageTokens > 0 ? { image_tokens: imageTokens } : {}),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningOutput,
      ...(usage.imageOutput > 0 ? { image_tokens: usage.imageOutput } : {}),
      ...(usage.audioOutput > 0 ? { audio_tokens: usage.audioOutput } : {}),
    },
    ...(citationTokens > 0 ? { citation_tokens: citationTokens } : {}),
    ...(webSearches > 0 ? { server_tool_use: { web_search_requests: webSearches } } : {}),
  }
}
