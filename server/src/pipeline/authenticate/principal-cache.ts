import type { Invalidation } from '#domain/access/invalidation.ts'
import type { Principal } from '#domain/access/principal.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { createVersionedLoads } from '#lib/versioned-loads.ts'
import type { Keys } from '#ports/keys.ts'

/**
 * Principals by the full hash of their secret. An entry is fresh up to the soft age; from there it is answered while a
 * refresh runs behind; from the hard age on it is refreshed first, and answered as it is only if the store fails.
 */
export interface PrincipalCache {
  find(keyHash: string): Promise<Principal | null>
  /** A load that began before this is never kept, so an edited key can not come back. */
  invalidate(invalidation: Invalidation): void
  readonly size: number
}

export interface PrincipalCacheOptions {
  keys: Keys
  clock: () => number
  softTtlMs?: number
  hardTtlMs?: number
  staleIfErrorMs?: number
  maxEntries?: number
  loadTimeoutMs?: number
}

interface Entry {
  readonly principal: Principal
  readonly loadedAtMs: number
  /** After a failed refresh: when to ask the store again. */
  retryAtMs: number
}

const missingTtlMs = 1_000
const missingMax = 10_000
const retryAfterFailureMs = 1_000

export function createPrincipalCache(options: PrincipalCacheOptions): PrincipalCache {
  // 15 s at most, because that is how late a revocation may be when its message is lost.
  const { keys, clock, softTtlMs = 10_000, hardTtlMs = 15_000, staleIfErrorMs = 3_600_000 } = options
  const { maxEntries = 100_000, loadTimeoutMs = 2_000 } = options
  const entries = new Map<string, Entry>()
  const missingUntilMs = new Map<string, number>()
  const loads = createVersionedLoads({ load: keys.findPrincipal, clock, timeoutMs: loadTimeoutMs, keep })

  async function find(keyHash: string): Promise<Principal | null> {
    const nowMs = clock()
    const entry = entries.get(keyHash)
    if (entry === undefined) {
      return (missingUntilMs.get(keyHash) ?? 0) > nowMs ? null : loadOrStale(keyHash)
    }
    const ageMs = nowMs - entry.loadedAtMs
    // A clock that went back makes ages negative; such an entry is as good as expired.
    if (ageMs >= 0 && ageMs < softTtlMs) return entry.principal
    if (nowMs < entry.retryAtMs && isUsable(entry, nowMs)) return entry.principal
    if (ageMs < 0 || ageMs >= hardTtlMs) return loadOrStale(keyHash)
    if (!loads.isRunning(keyHash)) void loadOrStale(keyHash).catch(() => {})
    return entry.principal
  }

  async function loadOrStale(keyHash: string): Promise<Principal | null> {
    try {
      return await loads.run(keyHash)
    } catch (error) {
      const nowMs = clock()
      const entry = entries.get(keyHash)
      if (entry === undefined || !isUsable(entry, nowMs)) throw storeUnavailable(error)
      entry.retryAtMs = nowMs + retryAfterFailureMs
      return entry.principal
    }
  }

  const isUsable = (entry: Entry, nowMs: number) => nowMs - entry.loadedAtMs < staleIfErrorMs

  function keep(keyHash: string, principal: Principal | null, beganAtMs: number): void {
    entries.delete(keyHash)
    missingUntilMs.delete(keyHash)
    // Each refresh moves its key to the end, so the first of the map is the one longest unused.
    if (principal === null) setBounded(missingUntilMs, keyHash, beganAtMs + missingTtlMs, missingMax)
    else setBounded(entries, keyHash, { principal, loadedAtMs: beganAtMs, retryAtMs: 0 }, maxEntries)
  }

  function invalidate(invalidation: Invalidation): void {
    const { keyHash, all } = invalidation
    if (keyHash !== undefined) {
      entries.delete(keyHash)
      missingUntilMs.delete(keyHash)
      loads.overtake(keyHash)
    }
    if (!concernsMany(invalidation)) return
    // A running load may turn out to be of the one that is meant, so all of them are overtaken.
    loads.overtakeAll()
    if (all === true) missingUntilMs.clear()
    for (const [hash, { principal }] of entries) {
      if (concerns(invalidation, principal)) entries.delete(hash)
    }
  }

  return {
    find,
    invalidate,
    get size() {
      return entries.size
    },
  }
}

function concernsMany({ all, walletId, userId, organizationId }: Invalidation): boolean {
  return all === true || walletId !== undefined || userId !== undefined || organizationId !== undefined
}

function concerns({ all, walletId, userId, organizationId }: Invalidation, principal: Principal): boolean {
  return (
    all === true ||
    isOf(principal.walletId, walletId) ||
    isOf(principal.userId, userId) ||
    isOf(principal.organizationId, organizationId)
  )
}

function isOf(id: string | null, asked: string | undefined): boolean {
  return asked !== undefined && id === asked
}

function setBounded<Value>(map: Map<string, Value>, key: string, value: Value, maxSize: number): void {
  map.set(key, value)
  if (map.size <= maxSize) return
  const [first] = map.keys()
  if (first !== undefined) map.delete(first)
}

/** A store that fails says nothing about the key, so the caller hears 503, never 401. */
function storeUnavailable(cause: unknown): GatewayError {
  return new GatewayError('storeUnavailable', {
    message: 'Your key could not be checked at the moment. Please try again.',
    inside: `key lookup failed: ${cause instanceof Error ? cause.message : String(cause)}`,
    retryAfterS: 1,
    cause,
  })
}
