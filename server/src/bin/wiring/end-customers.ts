import type { Pool } from 'pg'
import { createEndCustomerCache, type EndCustomerCache } from '#pipeline/attribute/end-customer-cache.ts'
import type { EndCustomers } from '#ports/end-customers.ts'
import { createEndCustomers } from '#store/postgres/end-customers/postgres-end-customers.ts'

export interface WiredEndCustomers {
  readonly store: EndCustomers
  readonly cache: EndCustomerCache
}

/** The customers of wallets' owners. */
export function wireEndCustomers(
  pool: Pool,
  options: { customersMax: number; loadTimeoutMs: number; nowMs: () => number },
): WiredEndCustomers {
  const { customersMax, loadTimeoutMs, nowMs } = options
  const store = createEndCustomers(pool, { customersMax, nowMs })
  return { store, cache: createEndCustomerCache({ endCustomers: store, clock: nowMs, loadTimeoutMs }) }
}
