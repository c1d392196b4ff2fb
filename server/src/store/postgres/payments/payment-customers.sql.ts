import type { Pool } from 'pg'
import { assert } from '#lib/assert.ts'
import type { CustomerOf, ErasedCustomers, PaymentCustomers } from '#ports/saved-methods.ts'
import { refuseWhenAway } from '../faults.ts'

/** The customers for whom providers store cards. */
export function createPaymentCustomers(pool: Pool): PaymentCustomers {
  return {
    find: (of) => refuseWhenAway(findCustomer(pool, of)),
    add: (of, customerRef) => refuseWhenAway(addCustomer(pool, of, customerRef)),
  }
}

/** Payment customers of erased people. */
export function createErasedCustomers(pool: Pool): ErasedCustomers {
  return {
    claim: async ({ provider, isLive }, { atMost, leaseMs }) => {
      const text = `UPDATE erased_payment_customers e SET look_at = now() + $4 * interval '1 millisecond'
        WHERE (e.provider, e.is_live, e.customer_ref) IN (
          SELECT d.provider, d.is_live, d.customer_ref FROM erased_payment_customers d
          WHERE d.provider = $1 AND d.is_live = $2 AND d.look_at <= now()
          ORDER BY d.look_at LIMIT $3 FOR UPDATE SKIP LOCKED)
        RETURNING e.customer_ref`
      const { rows } = await pool.query<{ customer_ref: string }>(text, [provider, isLive, atMost, leaseMs])
      return rows.map((row) => row.customer_ref)
    },
    forget: async ({ provider, isLive }, customerRef) => {
      const text = 'DELETE FROM erased_payment_customers WHERE provider = $1 AND is_live = $2 AND customer_ref = $3'
      await pool.query(text, [provider, isLive, customerRef])
    },
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
