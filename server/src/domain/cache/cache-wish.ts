import { malformed } from '#errors/malformed.ts'
import { isJsonObject, type JsonValue } from '#lib/json.ts'

export interface CacheTerms {
  /** The default for a request without `ttl_seconds`. */
  readonly ttlSeconds: number
  readonly ttlSecondsMax: number
}

/**
 * The maximum age of a cached answer in seconds, and the time that a new one stays cached. Null for a request without
 * the cache. The field of the body applies first, then the setting of the key or the organization.
 */
export function readCacheWish(sent: JsonValue | undefined, standing: number | null, terms: CacheTerms): number | null {
  if (sent === undefined || sent === null) return standing === null ? null : Math.min(standing, terms.ttlSecondsMax)
  if (typeof sent === 'boolean') return sent ? terms.ttlSeconds : null
  const ttl = isJsonObject(sent) && Object.keys(sent).length === 1 ? sent.ttl_seconds : undefined
  if (ttl === undefined) throw malformed('`cache` must be `true`, `false` or an object with only `ttl_seconds`.')
  if (typeof ttl === 'number' && Number.isInteger(ttl) && ttl >= 1 && ttl <= terms.ttlSecondsMax) return ttl
  throw malformed(`\`cache.ttl_seconds\` must be an integer from 1 to ${terms.ttlSecondsMax}.`)
}
