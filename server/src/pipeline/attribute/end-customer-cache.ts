import type { Invalidation } from '#domain/access/invalidation.ts'
import { nameIn, walletIdIn, walletKey } from '#domain/access/wallet-key.ts'
import type { EndCustomerTerms } from '#domain/end-customers/end-customer.ts'
import { createAgingCache } from '#lib/aging-cache.ts'
import type { Eventually } from '#lib/eventually.ts'
import type { Uuid } from '#lib/uuid.ts'
import type { EndCustomers } from '#ports/end-customers.ts'
import { refuseUnloaded } from './refuse-unloaded.ts'

/** The terms of end customers. If they cannot be loaded, the request is rejected: its limits are unknown. */
export interface EndCustomerCache {
  /** Synchronous if the terms are cached. */
  find(walletId: Uuid, externalId: string): Eventually<EndCustomerTerms>
  /** Drops cached terms. A load that began before this call is never cached, so outdated terms cannot come back. */
  invalidate(invalidation: Invalidation): void
}

export interface EndCustomerCacheOptions {
  endCustomers: Pick<EndCustomers, 'findOrCreate'>
  clock: () => number
  loadTimeoutMs?: number
}

// At most 15 s: if an invalidation message is lost, a changed limit takes effect this late.
const times = { softTtlMs: 10_000, hardTtlMs: 15_000, staleIfErrorMs: 0 }
const entriesMax = 100_000

export function createEndCustomerCache(options: EndCustomerCacheOptions): EndCustomerCache {
  const { endCustomers, clock, loadTimeoutMs = 2_000 } = options
  const cache = createAgingCache<EndCustomerTerms>({
    load: (key) => endCustomers.findOrCreate(walletIdIn(key), nameIn(key)),
    clock,
    ...times,
    maxEntries: entriesMax,
    loadTimeoutMs,
  })
  return {
    find: (walletId, externalId) => {
      const found = cache.find(walletKey(walletId, externalId))
      return found instanceof Promise ? found.catch(refuseUnloaded('customer')) : found
    },
    invalidate: ({ endCustomer, all }) => {
      if (all === true) cache.dropWhere(() => true)
      else if (endCustomer !== undefined) cache.drop(endCustomer)
    },
  }
}
