import { promptTokensOf } from '#domain/inference/usage.ts'
import { usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'
import { costDetails } from '../cost-details.ts'
import type { Charged } from '../dialect.ts'

/** The usage and cost in a response with vectors. */
export function embeddingsUsage(charged: Charged | null): JsonObject {
  if (charged === null) return { prompt_tokens: 0, total_tokens: 0, cost: 0 }
  const { usage, cost, upstreamCost } = charged
  const tokens = promptTokensOf(usage)
  return { prompt_tokens: tokens, total_tokens: tokens, cost: usdJson(cost), ...costDetails(upstreamCost) }
}
