import { type NanoUsd, usdJson } from '#domain/money/nano-usd.ts'
import type { JsonObject } from '#lib/json.ts'

/**
 * The provider's cost of a request with an organization's own key, in addition to our own cost of zero; null if its
 * price is unknown. Clients add it to the cost, so it is reported nowhere else.
 */
export function costDetails(upstreamCost: NanoUsd | null | undefined): JsonObject {
  if (upstreamCost === undefined) return {}
  return { cost_details: { upstream_inference_cost: upstreamCost === null ? null : usdJson(upstreamCost) } }
}
