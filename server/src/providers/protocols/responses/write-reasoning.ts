import type { ReasoningWish } from '#domain/inference/call.ts'
import type { JsonObject } from '#lib/json.ts'
import { effortForBudget } from '#providers/traits/effort-for-budget.ts'
import type { ResponsesTarget } from './responses-host.ts'
import { isThinker } from './takes-field.ts'

/**
 * A thinking option. Thoughts are shown only as summaries, and only on request. Models that do not think reject the
 * field.
 */
export function writeReasoning(wish: ReasoningWish | null, target: ResponsesTarget): JsonObject {
  if (wish === null || !isThinker(target)) return {}
  const effort = effortOf(wish)
  const isShown = wish.enabled !== false && wish.exclude !== true
  const reasoning = {
    ...(effort === undefined ? {} : { effort }),
    ...(isShown ? { summary: wish.summary ?? 'auto' } : {}),
  }
  return Object.keys(reasoning).length === 0 ? {} : { reasoning }
}

/** Some models cannot turn thinking off, so `none` is sent only if the client used that very word. */
export function effortOf({ enabled, effort, budgetTokens }: ReasoningWish): string | undefined {
  if (effort !== undefined || enabled === false) return effort
  return budgetTokens === undefined ? undefined : effortForBudget(budgetTokens)
}
