import { type NanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'

/**
 * What the provider bills an organization for a call with its own key, beside our own cost of nothing; null where that
 * is unknown its price. Clients add it to the cost, so it stands nowhere else.
 */
export function costDetails(upstreamCost: NanoUsd | null | undefined): JsonObject {
  if (upstreamCost === undefined) return {}
  return { cost_details: { upstream_inference_cost: upstreamCost === null ? null : usdJson(upstreamCost) } }
}
