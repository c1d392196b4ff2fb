import type { Invalidation } from '#domain/access/invalidation.ts'
import type { Principal } from '#domain/access/principal.ts'
import { GatewayError } from '#errors/gateway-error.ts'
import { createAgingCache } from '#lib/aging-cache.ts'
import type { Eventually } from '#lib/eventually.ts'
import { setBounded } from '#lib/set-bounded.ts'
import type { Keys } from '#ports/keys.ts'

/**
 * Principals by the full hash of their secret. A stale principal is refreshed first, and returned unrefreshed only if
 * the store fails. An unknown secret is cached for a second.
 */
export interface PrincipalCache {
  /** Synchronous if the principal is cached. */
  find(keyHash: string): Eventually<Principal | null>
  /**
   * Refreshes recently used principals that are no longer fresh, so that their next request need not wait for the
   * store.
   */
  refreshUsed(): void
  /**
   * Drops cached principals. A load that began before this call is never cached, so an outdated key cannot come back.
   */
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

const missingTtlMs = 1_000
const missingMax = 10_000
// One statement per second refreshes up to this many principals.
const refreshedMax = 5_000
const usedForMs = 300_000

export function createPrincipalCache(options: PrincipalCacheOptions): PrincipalCache {
  // At most 15 s: if an invalidation message is lost, a revocation takes effect this late.
  const { keys, clock, softTtlMs = 10_000, hardTtlMs = 15_000, staleIfErrorMs = 3_600_000 } = options
  const { maxEntries = 100_000, loadTimeoutMs = 2_000 } = options
  const missingUntilMs = new Map<string, number>()
  const usedAtMs = new Map<string, number>()
  const cache = createAgingCache<Principal | null>({
    load: keys.findPrincipal,
    clock,
    softTtlMs,
    hardTtlMs,
    staleIfErrorMs,
    maxEntries,
    loadTimeoutMs,
    isKept: (keyHash, principal, beganAtMs) => {
      missingUntilMs.delete(keyHash)
      if (principal === null) setBounded(missingUntilMs, keyHash, beganAtMs + missingTtlMs, missingMax)
      return principal !== null
    },
  })

  function find(keyHash: string): Eventually<Principal | null> {
    if ((missingUntilMs.get(keyHash) ?? 0) > clock()) return null
    const found = cache.find(keyHash)
    if (!(found instanceof Promise)) return noteUse(keyHash, found)
    return found.then((principal) => noteUse(keyHash, principal), refuseUnavailable)
  }

  function noteUse(keyHash: string, principal: Principal | null): Principal | null {
    const isNoted = principal !== null && (usedAtMs.size < refreshedMax || usedAtMs.has(keyHash))
    if (isNoted) usedAtMs.set(keyHash, clock())
    return principal
  }

  function refreshUsed(): void {
    const usedSinceMs = clock() - usedForMs
    for (const [keyHash, atMs] of usedAtMs) {
      if (atMs < usedSinceMs) usedAtMs.delete(keyHash)
      else cache.refresh(keyHash)
    }
  }

  function invalidate(invalidation: Invalidation): void {
    const { keyHash, all } = invalidation
    if (keyHash !== undefined) {
      missingUntilMs.delete(keyHash)
      cache.drop(keyHash)
    }
    if (!concernsMany(invalidation)) return
    if (all === true) missingUntilMs.clear()
    cache.dropWhere((principal) => principal !== null && concerns(invalidation, principal))
  }

  return {
    find,
    refreshUsed,
    invalidate,
    get size() {
      return cache.size
    },
  }
}

function concernsMany({ all, keyId, walletId, userId, organizationId }: Invalidation): boolean {
  return (
    all === true ||
    keyId !== undefined ||
    walletId !== undefined ||
    userId !== undefined ||
    organizationId !== undefined
  )
}

function concerns({ all, keyId, walletId, userId, organizationId }: Invalidation, principal: Principal): boolean {
  return (
    all === true ||
    isOf(principal.keyId, keyId) ||
    isOf(principal.walletId, walletId) ||
    isOf(principal.userId, userId) ||
    isOf(principal.organizationId, organizationId)
  )
}

function isOf(id: string | null, asked: string | undefined): boolean {
  return asked !== undefined && id === asked
}

/** A failing store says nothing about the key, so the client gets 503, never 401. */
function refuseUnavailable(cause: unknown): never {
  throw new GatewayError('storeUnavailable', {
    message: 'Your API key could not be verified. Retry shortly.',
    inside: `key lookup failed: ${cause instanceof Error ? cause.message : String(cause)}`,
    retryAfterS: 1,
    cause,
  })
}
