import { costDetails } from '#dialects/cost-details.ts'
import type { Charged } from '#dialects/dialect.ts'
import { completionTokensOf, promptTokensOf } from '#domain/inference/usage.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'

/**
 * The usage object of Responses. Two details are always present, because clients require them; the third only when
 * known.
 */
export function responsesUsage({ usage, cost, upstreamCost }: Charged): JsonObject {
  const input = promptTokensOf(usage)
  const output = completionTokensOf(usage)
  const cacheWrite = usage.cacheWrite5m + usage.cacheWrite1h
  return {
    input_tokens: input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      ...(cacheWrite > 0 ? { cache_write_tokens: cacheWrite } : {}),
    },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: usage.reasoningOutput },
    total_tokens: input + output,
    cost: usdJson(cost),
    ...costDetails(upstreamCost),
  }
}
