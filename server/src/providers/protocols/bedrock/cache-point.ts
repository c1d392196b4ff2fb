import { isJsonObject, type JsonObject, stringAt } from '#lib/json.ts'
import type { ModelTraits } from './model-traits.ts'

/**
 * The cache point after a part with a cache marker, or nothing. Models without a prompt cache reject cache points, so
 * they get none. Only at Claude the client chooses a lifetime.
 */
export function cachePointAfter(cache: unknown, traits: ModelTraits): JsonObject[] {
  if (cache === undefined || cache === null || !takesCachePoints(traits)) return []
  const ttl = isJsonObject(cache) && traits.isClaude ? stringAt(cache, 'ttl') : undefined
  return [{ cachePoint: { type: 'default', ...(ttl === undefined ? {} : { ttl }) } }]
}

export function takesCachePoints({ isClaude, isNova }: ModelTraits): boolean {
  return isClaude || isNova
}
