import type { JsonObject } from '#lib/json.ts'
import { reasoningWishOf } from '#domain/inference/reasoning-wish.ts'

/**
 * What a protocol whose cap counts thinking may add to the client's, so that an answer fits behind the thought; see
 * `planThinking` of the Anthropic protocol. Read from the body of any dialect: they name their wishes alike.
 */
export function thinkingRoom(body: JsonObject, maxTokens: number): number {
  const wish = reasoningWishOf(body)
  if (wish === null || wish.enabled === false) return 0
  if (wish.enabled === undefined && wish.effort === undefined && wish.budgetTokens === undefined) return 0
  const budget = Math.max(budgetTokensMin, wish.budgetTokens ?? 0)
  return budget >= maxTokens ? budget : 0
}

/** The smallest that Claude takes; a share of the cap is raised to it. */
const budgetTokensMin = 1_024
