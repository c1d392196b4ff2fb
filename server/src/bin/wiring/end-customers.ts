import type { Pool } from 'pg'
import { createEndCustomerCache, type EndCustomerCache } from '#pipeline/attribute/end-customer-cache.ts'
import { createTagCache, type TagCache } from '#pipeline/attribute/tag-cache.ts'
import type { EndCustomers } from '#ports/end-customers.ts'
import { createTags } from '#store/postgres/tags/postgres-tags.ts'
import { createEndCustomers } from '#store/postgres/end-customers/postgres-end-customers.ts'

export interface WiredEndCustomers {
  readonly store: EndCustomers
  readonly cache: EndCustomerCache
}

interface Loading {
  readonly loadTimeoutMs: number
  readonly nowMs: () => number
}

/** The tags of requests. */
export function wireTags(pool: Pool, { tagsMax }: { tagsMax: number }, { loadTimeoutMs, nowMs }: Loading): TagCache {
  return createTagCache({ tags: createTags(pool, { tagsMax, nowMs }), clock: nowMs, loadTimeoutMs })
}

/** The customers of wallets' owners. */
export function wireEndCustomers(
  pool: Pool,
  { customersMax }: { customersMax: number },
  { loadTimeoutMs, nowMs }: Loading,
): WiredEndCustomers {
  const store = createEndCustomers(pool, { customersMax, nowMs })
  return { store, cache: createEndCustomerCache({ endCustomers: store, clock: nowMs, loadTimeoutMs }) }
}
