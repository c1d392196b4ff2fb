import type { Pool } from 'pg'
import type { HoldQuery, OpenHold } from '#ports/ledger.ts'
import { readNano } from '../column-values.ts'

interface Row {
  id: string
  key_id: string
  amount_nano: string
  placed_at: Date
  age_ms: number
  lease_until: Date
}

/** Holds that are neither settled nor released. */
export async function listHolds(pool: Pool, query: HoldQuery): Promise<OpenHold[]> {
  const { text, values } = holdStatement(query)
  const { rows } = await pool.query<Row>(text, [...values])
  return rows.map((row) => ({
    id: row.id,
    keyId: row.key_id,
    amount: readNano(row.amount_nano),
    placedAtMs: row.placed_at.getTime(),
    ageMs: row.age_ms,
    leaseUntilMs: row.lease_until.getTime(),
  }))
}

export function holdStatement({ walletId, before, limit }: HoldQuery): { text: string; values: readonly unknown[] } {
  // Both times come from Postgres' clock.
  const text = `SELECT id, key_id, amount_nano, placed_at, lease_until,
      greatest(floor(extract(epoch FROM clock_timestamp() - placed_at) * 1000), 0)::float8 AS age_ms
    FROM holds WHERE wallet_id = $1 AND ($2::uuid IS NULL OR id < $2) ORDER BY id DESC LIMIT $3`
  return { text, values: [walletId, before, limit] }
}
