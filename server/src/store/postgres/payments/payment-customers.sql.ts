import type { Pool } from 'pg'
import { assert } from '#lib/assert.ts'
import type { CustomerOf, PaymentCustomers } from '#ports/saved-methods.ts'
import { refuseWhenAway } from '../faults.ts'

/** Whom providers keep cards for. */
export function createPaymentCustomers(pool: Pool): PaymentCustomers {
  return {
    find: (of) => refuseWhenAway(findCustomer(pool, of)),
    add: (of, customerRef) => refuseWhenAway(addCustomer(pool, of, customerRef)),
  }
}

async function findCustomer(pool: Pool, { walletId, provider, isLive }: CustomerOf): Promise<string | null> {
  const text = 'SELECT customer_ref FROM payment_customers WHERE wallet_id = $1 AND provider = $2 AND is_live = $3'
  const { rows } = await pool.query<{ customer_ref: string }>(text, [walletId, provider, isLive])
  return rows[0]?.customer_ref ?? null
}

async function addCustomer(pool: Pool, of: CustomerOf, customerRef: string): Promise<string> {
  const text = `INSERT INTO payment_customers (wallet_id, provider, is_live, customer_ref) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`
  await pool.query(text, [of.walletId, of.provider, of.isLive, customerRef])
  const kept = await findCustomer(pool, of)
  assert(kept !== null, 'a customer that was added is there')
  return kept
}
