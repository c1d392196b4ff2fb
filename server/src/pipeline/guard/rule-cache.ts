import type { Invalidation } from '#domain/access/invalidation.ts'
import type { FilterRule } from '#domain/filters/filter-rule.ts'
import { type FilterRuleSet, filterRuleSet } from '#domain/filters/filter-rule-set.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import type { Uuid } from '#lib/uuid.ts'
import { createVersionedLoads } from '#lib/versioned-loads.ts'

/**
 * The rules of each organization. A set is fresh up to the soft age; from there it is answered while a refresh runs behind;
 * from the hard age on it is loaded first. Where it can not be loaded the request is refused, because one that is let
 * through without its filters can not be taken back.
 */
export interface RuleCache {
  /** At once where the set is known: most organizations have no rules, and must not wait for that. */
  find(organizationId: Uuid): FilterRuleSet | Promise<FilterRuleSet>
  /** A load that began before this is never kept, so a rule that was changed can not come back. */
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

interface Entry {
  readonly set: FilterRuleSet
  readonly loadedAtMs: number
}

export function createRuleCache(options: RuleCacheOptions): RuleCache {
  // 15 s at most, because that is how late a rule may be when the message of it is lost.
  const { load, clock, softTtlMs = 10_000, hardTtlMs = 15_000, maxEntries = 10_000, loadTimeoutMs = 2_000 } = options
  const entries = new Map<Uuid, Entry>()
  const loads = createVersionedLoads<FilterRuleSet>({
    load: async (organizationId) => filterRuleSet(await load(organizationId)),
    clock,
    timeoutMs: loadTimeoutMs,
    keep,
  })

  function find(organizationId: Uuid): FilterRuleSet | Promise<FilterRuleSet> {
    const entry = entries.get(organizationId)
    const ageMs = entry === undefined ? hardTtlMs : clock() - entry.loadedAtMs
    // A clock that went back makes ages negative; such an entry is as good as expired.
    if (entry === undefined || ageMs < 0 || ageMs >= hardTtlMs) return loads.run(organizationId).catch(refuse)
    if (ageMs >= softTtlMs && !loads.isRunning(organizationId)) void loads.run(organizationId).catch(() => {})
    return entry.set
  }

  function keep(organizationId: Uuid, set: FilterRuleSet, beganAtMs: number): void {
    // Each refresh moves its organization to the end, so the first of the map is the one longest unused.
    entries.delete(organizationId)
    entries.set(organizationId, { set, loadedAtMs: beganAtMs })
    const [first] = entries.keys()
    if (entries.size > maxEntries && first !== undefined) entries.delete(first)
  }

  function invalidate({ organizationId, all }: Invalidation): void {
    if (all === true) {
      entries.clear()
      loads.overtakeAll()
    } else if (organizationId !== undefined) {
      entries.delete(organizationId)
      loads.overtake(organizationId)
    }
  }

  return { find, invalidate }
}

function refuse(cause: unknown): never {
  throw new GatewayError('storeUnavailable', {
    message: "Your organization's content filters could not be read at the moment. Please try again.",
    inside: `filter rules could not be loaded: ${cause instanceof Error ? cause.message : String(cause)}`,
    retryAfterS: 1,
    cause,
  })
}
