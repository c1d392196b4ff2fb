import type { JsonObject } from '#lib/json.ts'
import { thinkingFields } from './thinking-fields.ts'

/**
 * The one default that the gateway adds: Qwen 3 thinks unless it is told not to, at twice the price, so callers that say
 * nothing of thinking get none. Models that do nothing else are left alone.
 */
export function thinkingDefault(body: JsonObject, modelNames: readonly string[]): JsonObject {
  if (!modelNames.some(isHybridQwen)) return {}
  const isSaid = thinkingFields.some((name) => body[name] !== undefined && body[name] !== null)
  return isSaid ? {} : { enable_thinking: false }
}

function isHybridQwen(name: string): boolean {
  return /(?:^|\/)qwen3-/i.test(name) && !/thinking/i.test(name)
}
