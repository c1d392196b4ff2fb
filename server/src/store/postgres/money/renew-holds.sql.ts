import type { Pool } from 'pg'
import type { Uuid } from '#lib/uuid.ts'
import { arrayLiteral } from '../array-literal.ts'

// The database's clock alone decides about leases: a gateway whose clock is wrong neither loses nor keeps a hold.
// A hold that a job has taken over meanwhile has a longer lease than ours, and keeps it.
const text = `UPDATE holds SET lease_until = greatest(lease_until, clock_timestamp() + $2 * interval '1 millisecond')
  FROM unnest($1::uuid[]) AS renewed (id) WHERE holds.id = renewed.id`

export async function renewHolds(pool: Pool, ids: readonly Uuid[], leaseMs: number): Promise<void> {
  await pool.query({ name: 'renew-holds', text, values: [arrayLiteral(ids), leaseMs] })
}
