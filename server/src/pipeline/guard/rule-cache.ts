import type { Invalidation } from '#domain/access/invalidation.ts'
import type { FilterRule } from '#domain/filters/filter-rule.ts'
import { type FilterRuleSet, filterRuleSet } from '#domain/filters/filter-rule-set.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { createAgingCache } from '#lib/aging-cache.ts'
import type { Uuid } from '#lib/uuid.ts'

/**
 * The rules of each organization. If they cannot be loaded the request is rejected, because a request sent without its
 * filters cannot be taken back.
 */
export interface RuleCache {
  /** Synchronous if the set is cached: most organizations have no rules and must not wait. */
  find(organizationId: Uuid): FilterRuleSet | Promise<FilterRuleSet>
  /**
   * Drops the cached rules. A load that began before this call is never cached, so an outdated rule cannot come back.
   */
  invalidate(invalidation: Invalidation): void
}

export interface RuleCacheOptions {
  load: (organizationId: Uuid) => Promise<readonly FilterRule[]>
  clock: () => number
  softTtlMs?: number
  hardTtlMs?: number
  maxEntries?: number
  loadTimeoutMs?: number
}

export function createRuleCache(options: RuleCacheOptions): RuleCache {
  // At most 15 s: if an invalidation message is lost, a changed rule takes effect this late.
  const { load, clock, softTtlMs = 10_000, hardTtlMs = 15_000, maxEntries = 10_000, loadTimeoutMs = 2_000 } = options
  const cache = createAgingCache<FilterRuleSet>({
    load: async (organizationId) => filterRuleSet(await load(organizationId)),
    clock,
    softTtlMs,
    hardTtlMs,
    staleIfErrorMs: 0,
    maxEntries,
    loadTimeoutMs,
  })

  function find(organizationId: Uuid): FilterRuleSet | Promise<FilterRuleSet> {
    const found = cache.find(organizationId)
    return found instanceof Promise ? found.catch(refuse) : found
  }

  function invalidate({ organizationId, all }: Invalidation): void {
    if (all === true) cache.dropWhere(() => true)
    else if (organizationId !== undefined) cache.drop(organizationId)
  }

  return { find, invalidate }
}

function refuse(cause: unknown): never {
  throw new GatewayError('storeUnavailable', {
    message: "Your organization's content filters could not be loaded. Retry shortly.",
    inside: `filter rules could not be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
    retryAfterS: 1,
    cause,
  })
}
