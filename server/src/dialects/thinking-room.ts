import type { JsonObject } from '#lib/json.ts'
import { reasoningWishOf } from '#domain/inference/reasoning-wish.ts'

/**
 * The tokens that a protocol whose cap includes reasoning may add to the client's cap, so that the output fits after
 * the reasoning; see `planThinking` of the Anthropic protocol. It reads the body of any dialect, because they use the
 * same field names.
 */
export function thinkingRoom(body: JsonObject, maxTokens: number): number {
  const wish = reasoningWishOf(body)
  if (wish === null || wish.enabled === false) return 0
  if (wish.enabled === undefined && wish.effort === undefined && wish.budgetTokens === undefined) return 0
  const budget = Math.max(budgetTokensMin, wish.budgetTokens ?? 0)
  return budget >= maxTokens ? budget : 0
}

/** Claude's minimum budget; a smaller share of the cap is raised to it. */
const budgetTokensMin = 1_024
