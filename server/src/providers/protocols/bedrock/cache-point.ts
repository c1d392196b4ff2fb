import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'
import type { ModelTraits } from './model-traits.ts'

/**
 * What follows a part that carries a cache mark: nothing, or a cache point. Models without a prompt cache refuse cache
 * points, so they are not sent any; only Claude's live for a time of the client's choice.
 */
export function cachePointAfter(cache: unknown, traits: ModelTraits): JsonObject[] {
  if (cache === undefined || cache === null || !takesCachePoints(traits)) return []
  const ttl = isJsonObject(cache) && traits.isClaude ? stringAt(cache, 'ttl') : undefined
  return [{ cachePoint: { type: 'default', ...(ttl === undefined ? {} : { ttl }) } }]
}

export function takesCachePoints({ isClaude, isNova }: ModelTraits): boolean {
  return isClaude || isNova
}
